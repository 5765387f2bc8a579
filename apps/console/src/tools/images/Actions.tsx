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

/** The number of selected images and the buttons for them, at the bottom of the window. */
export function Actions({ state, filesRead }: { state: UploadState; filesRead: () => Promise<void> }) {
  const { phase, rows, run, pressed } = state;
  const [missing, setMissing] = useState(false);
  const [asking, setAsking] = useState(false);
  const uploading = phase === 'UPLOADING';
  const done = rows.filter((row) => row.state.at === 'uploaded').length;
  const failed = rows.filter((row) => row.state.at === 'failed').length;
  // The upload may end while the confirmation is open.
  if (asking && !uploading) setAsking(false);
  useEndAnnouncement(phase, rows.length, failed);

  return (
    <Paper component="section" aria-label={words.label} square sx={AT_THE_EDGE}>
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        {uploading ? (
          <Running done={pressed - run.length} all={pressed} />
        ) : (
          <Sum count={rows.length} done={done} failed={failed} />
        )}
      </Box>
      <Buttons
        phase={phase}
        filesRead={filesRead}
        onMissing={() => setMissing(true)}
        onStartOver={() => (uploading ? setAsking(true) : startOver())}
      />
      <WarningDialog
        text={missing ? words.missing : null}
        onClose={() => setMissing(false)}
        returnFocus={() => document.getElementById(PICKER)}
      />
      <StartOverDialog open={asking} onClose={() => setAsking(false)} done={done} left={rows.length - done} />
    </Paper>
  );
}

const AT_THE_EDGE = {
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
} as const;

interface ButtonsProps {
  phase: Phase;
  filesRead: () => Promise<void>;
  /** Called when there is nothing to upload. */
  onMissing: () => void;
  onStartOver: () => void;
}

function Buttons({ phase, filesRead, onMissing, onStartOver }: ButtonsProps) {
  const announce = useAnnounce();
  const [waiting, setWaiting] = useState(false);

  /** Uploads all waiting files, including those added a moment ago. */
  async function press() {
    setWaiting(true);
    await filesRead();
    setWaiting(false);
    if (openRows(work.get()).length === 0) onMissing();
    else void work.press();
  }

  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, ml: 'auto', justifyContent: 'flex-end' }}>
      {phase === 'UPLOADING' && (
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
      <Button variant="outlined" color="inherit" onClick={onStartOver}>
        {imageMessages.startOver}
      </Button>
      <Button variant="contained" disabled={phase !== 'NEW' || waiting} onClick={() => void press()}>
        {imageMessages.upload}
      </Button>
    </Box>
  );
}

interface StartOverDialogProps {
  open: boolean;
  onClose: () => void;
  /** How many images have been uploaded, and how many have not. */
  done: number;
  left: number;
}

/** Asks before a running upload is cancelled. */
function StartOverDialog({ open, onClose, done, left }: StartOverDialogProps) {
  return (
    <AppDialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      maxWidth="xs"
      title={texts.startOver.title}
      icon={<WarningIcon color="var(--lms-palette-warning-main)" />}
      actions={
        <>
          <Button variant="outlined" color="inherit" onClick={startOver}>
            {texts.startOver.yes}
          </Button>
          <Button variant="contained" autoFocus onClick={onClose}>
            {texts.startOver.stay}
          </Button>
        </>
      }
    >
      <Typography>
        {texts.startOver.text(done, left)} {texts.startOver.keep}
      </Typography>
    </AppDialog>
  );
}

/** The progress of the upload, announced at each quarter. */
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

function useEndAnnouncement(phase: Phase, count: number, failed: number): void {
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
