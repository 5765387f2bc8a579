import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type SystemWork, systemReleased } from '@lms-admin/contract/system';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { postJson } from '../../api/client.ts';
import { useProfile } from '../../api/session.ts';
import { useWrite } from '../../api/useWrite.ts';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { WarningIcon } from '../../components/Icons.tsx';
import { momentFormat } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { texts } from './texts.ts';

interface HeldNoticeProps {
  held: NonNullable<SystemWork['held']>;
  /** @param words confirmation of the release */
  onReleased: (words: string) => void;
}

/** Jobs held since a restore, and a button to release them after a confirmation. */
export function HeldNotice({ held, onReleased }: HeldNoticeProps) {
  const [open, setOpen] = useState(false);
  const { time_zone } = useProfile().userProfile;
  const moment = momentFormat(time_zone);
  const at = (time: number | null) => moment(time === null ? null : new Date(time).toISOString());
  const { write, isPending, error, reset } = useWrite({
    mutationFn: () => postJson(ENDPOINTS.systemRelease, undefined, systemReleased),
    onSuccess({ released, jobs }) {
      setOpen(false);
      onReleased(released ? texts.released(jobs) : texts.notHeld);
    },
  });
  return (
    <Notice
      tone="warning"
      title={texts.held}
      action={
        <Button
          variant="contained"
          onClick={() => {
            reset();
            setOpen(true);
          }}
        >
          {texts.release}
        </Button>
      }
    >
      <Typography>{texts.heldText(held.jobs, at(held.since), at(held.backupOf))}</Typography>
      <Typography>{texts.heldNext}</Typography>
      <AppDialog
        open={open}
        onClose={() => setOpen(false)}
        role="alertdialog"
        maxWidth="xs"
        title={texts.releaseTitle(held.jobs)}
        icon={<WarningIcon color="var(--lms-palette-warning-main)" />}
        actions={
          <>
            <Button variant="outlined" color="inherit" autoFocus onClick={() => setOpen(false)}>
              {texts.releaseKeep}
            </Button>
            <Button variant="contained" disabled={isPending} onClick={() => write()}>
              {texts.releaseYes}
            </Button>
          </>
        }
      >
        <Typography>{texts.releaseText}</Typography>
        {error !== null && <ErrorState error={error} title={texts.releaseFailed} />}
      </AppDialog>
    </Notice>
  );
}
