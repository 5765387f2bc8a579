import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { type Figure, Figures } from '../Figures/Figures.tsx';
import { SentElsewhere } from './ReviewNotices.tsx';
import { texts } from './texts.ts';

export interface ReviewFrameProps {
  /** What submitting will do, or why there is nothing to do, in one sentence. */
  sentence: string;
  /** The rows left unchanged, or null. */
  stays: string | null;
  figures: readonly Figure[];
  /** Opens the import if this review was submitted from another tab; null otherwise. */
  onFollow: (() => void) | null;
  /** Notices about things to check. */
  notices: ReactNode;
  tableTitle: string;
  /** The table of the changes; null without rows. */
  table: ReactNode;
}

/** The structure of every review: a sentence, figures, notices, then details line by line. */
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
