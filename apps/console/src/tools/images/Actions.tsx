import { imageMessages } from '@lms-admin/contract/messages/images';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { WarningDialog } from '../../components/Dialogs/WarningDialog.tsx';
import { WarningIcon } from '../../components/Icons.tsx';
import { JobProgress } from '../../components/Job/JobProgress.tsx';
import { percent } from '../../components/Job/pace.ts';
import { useMilestones } from '../../components/Job/useMilestones.ts';
import { unbroken } from '../../components/Wizard/wizard-state.ts';
import { PICKER } from './ImageTable.tsx';
import { texts } from './texts.ts';
import { openRows, type Phase, type UploadState } from './upload-state.ts';
import { startOver, work } from './upload-work.ts';

const words = texts.actions;

/** The sum of what was selected and what can be done with it, at the lower edge of the window. */
export function Actions({ state, filesRead }: { state: UploadState; filesRead: () => Promise<void> }) {
  const announce = useAnnounce();
  const [waiting, setWaiting] = useState(false);
  const [missing, setMissing] = useState(false);
  const [asking, setAsking] = useState(false);
  const { phase, rows, run, pressed } = state;
  const uploading = phase === 'UPLOADING';
  const done = rows.filter((row) => row.state.at === 'uploaded').length;
  const failed = rows.filter((row) => row.state.at === 'failed').length;
  const open = rows.length - done;
  // While it asks, the upload may have come to its end.
  if (asking && !uploading) setAsking(false);
  useSaidEnd(phase, rows.length, failed);

  /** Files that were handed in a moment ago belong to the press, too. */
  async function press() {
    setWaiting(true);
    await filesRead();
    setWaiting(false);
    if (openRows(work.get()).length === 0) setMissing(true);
    else void work.press();
  }

  return (
    <Paper
      component="section"
      aria-label={words.label}
      square
      sx={{
        position: 'sticky',
        bottom: 0,
        zIndex: 'appBar',
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        mx: { xs: -2, sm: -3 },
        mb: { xs: -2, sm: -3 },
        px: { xs: 2, sm: 3 },
        py: 1.5,
        borderWidth: '1px 0 0',
        borderRadius: '0 0 8px 8px',
      }}
    >
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        {uploading ? (
          <Running done={pressed - run.length} all={pressed} />
        ) : (
          <Sum count={rows.length} done={done} failed={failed} />
        )}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, ml: 'auto', justifyContent: 'flex-end' }}>
        {uploading && (
          <Button
            variant="outlined"
            color="inherit"
            onClick={() => {
              work.stop();
              announce(words.stopped);
            }}
          >
            {words.stop}
          </Button>
        )}
        <Button
          variant="outlined"
          color="inherit"
          onClick={() => (uploading ? setAsking(true) : startOver())}
        >
          {imageMessages.startOver}
        </Button>
        <Button variant="contained" disabled={phase !== 'NEW' || waiting} onClick={() => void press()}>
          {imageMessages.upload}
        </Button>
      </Box>
      <WarningDialog
        text={missing ? words.missing : null}
        onClose={() => setMissing(false)}
        returnFocus={() => document.getElementById(PICKER)}
      />
      <AppDialog
        open={asking}
        onClose={() => setAsking(false)}
        role="alertdialog"
        maxWidth="xs"
        title={texts.startOver.title}
        icon={<WarningIcon color="var(--lms-palette-warning-main)" />}
        actions={
          <>
            <Button variant="outlined" color="inherit" onClick={startOver}>
              {texts.startOver.yes}
            </Button>
            <Button variant="contained" autoFocus onClick={() => setAsking(false)}>
              {texts.startOver.stay}
            </Button>
          </>
        }
      >
        <Typography>
          {texts.startOver.text(done, open)} {texts.startOver.keep}
        </Typography>
      </AppDialog>
    </Paper>
  );
}

/** How far the press is, said at each quarter. */
function Running({ done, all }: { done: number; all: number }) {
  const numbers = words.uploading(done, all);
  const share = percent({ done, total: all });
  useMilestones(words.stage, share, numbers);
  return (
    <JobProgress
      stage={words.stage}
      numbers={numbers}
      bar={{ label: words.stage, percent: share }}
      facts={[]}
    />
  );
}

function Sum({ count, done, failed }: { count: number; done: number; failed: number }) {
  const parts = [
    words.sum(count),
    ...(done > 0 ? [words.done(done)] : []),
    ...(failed > 0 ? [words.failed(failed)] : []),
  ];
  return (
    <Typography component="output" variant="h3" sx={{ display: 'block' }}>
      {count === 0 ? (
        <Box component="span" sx={{ color: 'text.secondary', fontWeight: 450 }}>
          {words.nothing}
        </Box>
      ) : (
        unbroken(parts.join(' · '))
      )}
    </Typography>
  );
}

/** Says what came of a press, once it has ended. */
function useSaidEnd(phase: Phase, count: number, failed: number): void {
  const announce = useAnnounce();
  const before = useRef(phase);
  useEffect(() => {
    const was = before.current;
    before.current = phase;
    if (was !== 'UPLOADING' || phase === 'UPLOADING') return;
    if (phase === 'UPLOADED') announce(words.allUploaded(count));
    else if (failed > 0) announce(`${imageMessages.failed}: ${words.someFailed(failed)}`, 'assertive');
  }, [phase, count, failed, announce]);
}
