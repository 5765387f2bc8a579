import type { ListChanges } from '@lms-admin/contract/awards';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRef } from 'react';
import { awardChanged, replaceList } from '../../api/awards.ts';
import { useWrite } from '../../api/useWrite.ts';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { type CheckedList, countsOf, isOutdated } from './list-check.ts';
import { listHeading } from './list-heading.ts';
import { texts } from './texts.ts';

export interface ReplaceDialogProps {
  open: boolean;
  check: CheckedList;
  changes: ListChanges;
  onClose: () => void;
  onRetry: () => void;
  onReplaced: () => void;
  /** Called when the dialog is closed and the list is current. */
  onDone: () => void;
}

/** Asks for confirmation with the figures, then replaces the current list (OP-89). */
export function ReplaceDialog(props: ReplaceDialogProps) {
  const { open, check, changes, onClose, onRetry, onReplaced, onDone } = props;
  // The second press of a double press can come before the screen shows the first, or just after it succeeded.
  const pressed = useRef(false);
  const replace = useWrite({
    mutationFn: () => replaceList(check.rows, check.version),
    onError() {
      pressed.current = false;
    },
    async onSuccess() {
      await awardChanged();
      onReplaced();
    },
  });
  function press() {
    if (pressed.current) return;
    pressed.current = true;
    replace.write();
  }
  const outdated = isOutdated(replace.error);
  return (
    <AppDialog
      open={open}
      {...(!replace.isPending && { onClose })}
      // The button that opened the dialog disappears with the review.
      {...(replace.isSuccess && { returnFocus: listHeading, onClosed: onDone })}
      role="alertdialog"
      title={texts.confirm.title}
      actions={
        <Actions
          busy={replace.isPending}
          outdated={outdated}
          onClose={onClose}
          onRetry={onRetry}
          onPress={press}
        />
      }
    >
      <Box sx={{ display: 'grid', gap: 1.5 }}>
        <Typography>{texts.confirm.text(check.rows.length, countsOf(changes))}</Typography>
        <Typography>{check.version === 0 ? texts.confirm.first : texts.confirm.kept}</Typography>
        {outdated ? (
          <Notice tone="warning" title={texts.confirm.other}>
            <Typography>{texts.confirm.otherNext}</Typography>
          </Notice>
        ) : (
          replace.error !== null && <ErrorState error={replace.error} title={texts.confirm.failed} />
        )}
      </Box>
    </AppDialog>
  );
}

interface ActionsProps extends Pick<ReplaceDialogProps, 'onClose' | 'onRetry'> {
  busy: boolean;
  /** Whether another administrator has replaced the list since the comparison. */
  outdated: boolean;
  onPress: () => void;
}

function Actions({ busy, outdated, onClose, onRetry, onPress }: ActionsProps) {
  return (
    <>
      <Button color="inherit" variant="outlined" disabled={busy} onClick={onClose}>
        {texts.confirm.no}
      </Button>
      {outdated ? (
        <Button variant="contained" onClick={onRetry}>
          {texts.confirm.retry}
        </Button>
      ) : (
        <Button variant="contained" autoFocus aria-disabled={busy || undefined} onClick={onPress}>
          {texts.confirm.yes}
        </Button>
      )}
    </>
  );
}
