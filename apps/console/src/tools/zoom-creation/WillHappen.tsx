import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { StopIcon, WarningIcon } from '../../components/Icons.tsx';
import { ShortList } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { marked, type PreviewSentence, previewWords, type Sayers } from './preview-words.ts';
import { texts } from './texts.ts';
import { isRefusal, type Preview } from './usePreview.ts';

const words = texts.will;
const HEADING = 'zoom-will-happen';

interface WillHappenProps {
  preview: Preview;
  say: Sayers;
  /** The outdated preview because of which saving was not possible; null without one, or if it is unknown. */
  before: readonly PreviewSentence[] | null;
  /** How many events are selected for the change. */
  events: number;
  /** Deselects the events with problems; null if none would remain, or none can be deselected. */
  onLeaveOut: ((problems: ZoomPreview['problems']) => (() => void) | null) | null;
}

/** What saving will do, in words and figures, before the final press (OP-102, OP-103, OP-104). */
export function WillHappen({ preview, say, before, events, onLeaveOut }: WillHappenProps) {
  const { seen, working, error, retry } = preview;
  const sentences = seen === null ? [] : marked(previewWords(seen, say), before);
  const heard = sentences.map(({ text }) => text).join(' ');
  const leaveOut = seen === null ? null : (onLeaveOut?.(seen.problems) ?? null);
  const announce = useAnnounce();
  useEffect(() => {
    if (heard !== '') announce(heard);
  }, [heard, announce]);
  return (
    <Box
      component="section"
      aria-labelledby={HEADING}
      aria-busy={working}
      sx={{
        display: 'grid',
        gap: 1,
        gridTemplateColumns: 'minmax(0, 1fr)',
        alignContent: 'start',
        p: 2,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'surface.sunken',
        overflowWrap: 'anywhere',
      }}
    >
      <Typography id={HEADING} variant="h3">
        {words.title}
      </Typography>
      {working ? (
        <Skeletons lines={3} label={words.working} />
      ) : error !== null ? (
        isRefusal(error) ? (
          <ErrorState error={error} reference={false} />
        ) : (
          <ErrorState error={error} title={words.failed} onRetry={retry} />
        )
      ) : seen === null ? (
        <Typography color="textSecondary">{events === 0 ? words.none : words.fill}</Typography>
      ) : (
        sentences.map((one) => (
          <Sentence key={one.text} sentence={one}>
            {one.tone === 'stop' && leaveOut !== null && (
              <Button size="small" variant="outlined" color="inherit" onClick={leaveOut} sx={{ mt: 1 }}>
                {words.leaveOut}
              </Button>
            )}
          </Sentence>
        ))
      )}
    </Box>
  );
}

const TONES = {
  say: null,
  look: { Icon: WarningIcon, color: 'warning.main' },
  stop: { Icon: StopIcon, color: 'error.main' },
} as const;

function Sentence({
  sentence: { tone, text, items },
  children,
}: {
  sentence: PreviewSentence;
  children: ReactNode;
}) {
  const look = TONES[tone];
  return (
    <Box sx={{ display: 'flex', gap: 1 }}>
      {look !== null && (
        <Box sx={{ color: look.color, lineHeight: 0, pt: '2px', flex: 'none' }}>
          <look.Icon size={18} />
        </Box>
      )}
      <Box sx={{ minWidth: 0 }}>
        <Typography sx={{ fontWeight: look === null ? undefined : 620 }}>{text}</Typography>
        {items.length > 0 && <ShortList items={items} more={texts.more} />}
        {children}
      </Box>
    </Box>
  );
}
