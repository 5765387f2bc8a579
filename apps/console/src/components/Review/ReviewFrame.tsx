import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { type Figure, Figures } from '../Figures/Figures.tsx';
import { SentElsewhere } from './ReviewNotices.tsx';
import { texts } from './texts.ts';

export interface ReviewFrameProps {
  /** What the last press will do, or why there is nothing to do, in one sentence. */
  sentence: string;
  /** What it leaves alone, or null. */
  stays: string | null;
  figures: readonly Figure[];
  /** Given when this review was submitted from elsewhere: the way to its import. */
  onFollow: (() => void) | null;
  /** What deserves a second look. */
  notices: ReactNode;
  tableTitle: string;
  /** The table of the changes; null without rows. */
  table: ReactNode;
}

/** The order in which every review tells what it found: in a sentence, in figures, what to look at, line by line. */
export function ReviewFrame(props: ReviewFrameProps) {
  const { sentence, stays, figures, onFollow, notices, tableTitle, table } = props;
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {onFollow !== null && <SentElsewhere onFollow={onFollow} />}
      <Box>
        <Typography variant="subtitle1" component="p" sx={{ fontWeight: 620, maxWidth: '64ch' }}>
          {sentence}
        </Typography>
        {stays !== null && (
          <Typography color="textSecondary" sx={{ mt: 0.5 }}>
            {stays}
          </Typography>
        )}
      </Box>
      <Figures label={texts.total} figures={figures} />
      {notices}
      {table !== null && (
        <Box component="section" aria-labelledby="review-table">
          <Typography id="review-table" variant="h3" sx={{ mb: 1 }}>
            {tableTitle}
          </Typography>
          {table}
        </Box>
      )}
    </Box>
  );
}
