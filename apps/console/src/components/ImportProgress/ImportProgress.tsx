import type { SisImport } from '@lms-admin/contract/imports';
import { messages } from '@lms-admin/contract/messages';
import { COUNT_NAMES, type ImportScreen } from '@lms-admin/domain/import-states';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { useAnnounce } from '../Announcer.tsx';
import { CheckIcon, LookIcon, OutIcon, StopIcon } from '../Icons.tsx';
import { ImportedItems } from './ImportedItems.tsx';
import { ImportMessages } from './ImportMessages.tsx';
import { appliedTotal, joinedTexts, lostSight, outcome, type WatchState } from './import-watch.ts';
import { texts } from './texts.ts';
import { useImportWatch } from './useImportWatch.ts';

export interface ImportProgressProps {
  screen: ImportScreen;
  /** Id of the import; null while it is being submitted. */
  id: string | null;
  /** Called with an import that has ended, once while the view is open. */
  onEnd?: (ended: SisImport) => void;
  /** 'Back to Home': clears what the tool keeps and reloads the page (SHELL-33). */
  onHome: () => void;
  /** What the tool shows of its own below an import that has ended. */
  ended?: (one: SisImport) => ReactNode;
  /** Whether `ended` tells of each row what was said about it, so that they are not listed twice. */
  ownRows?: boolean;
}

/** From the documented 'Processing,Please wait..' to what was and was not done (area IMP). One view for all tools. */
export function ImportProgress({ screen, id, onEnd, onHome, ended, ownRows = false }: ImportProgressProps) {
  const { state, lookAgain } = useImportWatch(screen, id);
  const announce = useAnnounce();
  const end = outcome(state);

  useEffect(() => announce(state.message), [announce, state.message]);
  useEffect(() => {
    if (end !== 'running' && state.import) onEnd?.(state.import);
    // Only the end itself is news, not a new function of the caller.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [end]);

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {state.import !== null && state.import.label !== '' && (
        <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {state.import.label}
        </Typography>
      )}
      <Box>
        {/* The text of a failed import is the title of its alert. */}
        {(end === 'running' || end === 'done') && (
          <Typography variant="h3" component="p" sx={{ mb: 1 }}>
            {state.message}
          </Typography>
        )}
        <LinearProgress variant="determinate" value={state.progress} aria-label={texts.bar} />
        <Running state={state} onAgain={lookAgain} />
      </Box>
      {state.import !== null && end !== 'running' && <Ended one={state.import} end={end} rows={!ownRows} />}
      {state.import !== null && end !== 'running' && ended?.(state.import)}
      {end !== 'running' && (
        <Box>
          <Button variant="contained" onClick={onHome}>
            {messages.wizard.home}
          </Button>
        </Box>
      )}
    </Box>
  );
}

function Running({ state, onAgain }: { state: WatchState; onAgain: () => void }) {
  if (outcome(state) !== 'running') return null;
  const percent = state.import?.progress ?? 0;
  return (
    <Box sx={{ display: 'grid', gap: 0.5, mt: 1, typography: 'body2', color: 'text.secondary' }}>
      {percent > 0 && percent < 100 && <span>{texts.reported(Math.round(percent))}</span>}
      {state.import !== null && <span>{state.import.note ?? texts.leave}</span>}
      {lostSight(state) && (
        <Alert
          severity="warning"
          icon={<LookIcon />}
          sx={{ mt: 1 }}
          action={
            state.gaveUp ? (
              <Button color="inherit" size="small" onClick={onAgain}>
                {texts.again}
              </Button>
            ) : undefined
          }
        >
          {state.gaveUp ? texts.gaveUp : `${texts.lost} ${texts.lostNext}`}
        </Alert>
      )}
    </Box>
  );
}

interface EndedProps {
  one: SisImport;
  end: 'done' | 'partly' | 'failed';
  rows: boolean;
}

function Ended({ one, end, rows }: EndedProps) {
  const applied = appliedTotal(one, COUNT_NAMES);
  if (end === 'done')
    return (
      <>
        <Alert severity="success" icon={<CheckIcon />}>
          {texts.done(one.rows)}
          {one.note !== null && ` ${one.note}`}
        </Alert>
        <ImportedItems of={one} />
      </>
    );
  const joined = joinedTexts(one);
  return (
    <>
      <Alert severity="error" icon={<StopIcon />}>
        <AlertTitle>{messages.import.error}</AlertTitle>
        {joined !== '' && <Box sx={{ overflowWrap: 'anywhere' }}>{joined}</Box>}
        {one.errors_attachment !== null && (
          <Link
            href={one.errors_attachment.url}
            target="_blank"
            rel="noopener noreferrer"
            sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, mt: 1, color: 'inherit' }}
          >
            {messages.import.download}
            <OutIcon size={16} />
          </Link>
        )}
      </Alert>
      <Box>
        <Typography variant="h3" component="p">
          {end === 'partly' ? texts.partly(applied, one.rows) : texts.failed(applied, one.rows)}
        </Typography>
        <Typography sx={{ maxWidth: '68ch' }}>{texts.next[end]}</Typography>
        {one.note !== null && <Typography sx={{ maxWidth: '68ch' }}>{one.note}</Typography>}
      </Box>
      <ImportedItems of={one} />
      {rows && <ImportMessages id={one.id} />}
    </>
  );
}
