import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { useAnnounce } from '../Announcer.tsx';
import { JobProgress } from '../Job/JobProgress.tsx';
import { lostSight, type Watch } from '../Job/watch.ts';
import { ImportReceipt } from './ImportReceipt.tsx';
import { endedOddly, headingOf, type ImportShown, outcome } from './import-watch.ts';
import { texts } from './texts.ts';

export interface ImportViewProps {
  shown: ImportShown;
  /** State of the polling. */
  watch: Pick<Watch<unknown>, 'failures' | 'gaveUp'>;
  onRetry: () => void;
  /** One line about the request, above the progress; empty if the page has it as its heading. */
  title?: string;
  /** Whether messages about individual rows are listed. */
  rows?: boolean;
  /** A button that cancels the import, if it can be cancelled. */
  cancel?: ReactNode;
}

/** An import as the documents show it: its text, the bar with the documented values, then the result. */
export function ImportView({ shown, watch, onRetry, title = '', rows = true, cancel }: ImportViewProps) {
  const announce = useAnnounce();
  const end = outcome(shown);
  const one = shown.import;
  const message = headingOf(shown);
  useEffect(() => announce(message), [announce, message]);
  const reported = one?.progress ?? 0;
  const running = end === 'running';
  const gaveUp = watch.gaveUp || endedOddly(shown);
  return (
    <>
      {title !== '' && (
        <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
      )}
      <JobProgress
        // The text of a failed import is the title of its alert.
        stage={running || end === 'done' ? message : null}
        bar={{ label: texts.bar, percent: shown.progress }}
        facts={
          running
            ? [
                ...(reported > 0 && reported < 100 ? [texts.reported(Math.round(reported))] : []),
                ...(one === null ? [] : [one.note ?? texts.leave]),
              ]
            : []
        }
        lost={
          running && (gaveUp || lostSight(watch))
            ? {
                text: gaveUp ? texts.gaveUp : `${texts.lost} ${texts.lostNext}`,
                ...(gaveUp ? { onRetry } : {}),
              }
            : null
        }
        {...(running && cancel !== undefined ? { cancel } : {})}
      />
      {one !== null && end !== 'running' && <ImportReceipt one={one} end={end} rows={rows} />}
    </>
  );
}
