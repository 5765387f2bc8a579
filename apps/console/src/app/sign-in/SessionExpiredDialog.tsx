import { messages } from '@lms-admin/contract/messages';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { renewSignIn } from '../../api/session.ts';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { WarningIcon } from '../../components/Icons.tsx';

/** Shown after any 401: sign in again, then return to this page (AUTH-22). It cannot be closed. */
export function SessionExpiredDialog() {
  return (
    <AppDialog
      open
      role="alertdialog"
      maxWidth="xs"
      title={messages.expired.title}
      icon={<WarningIcon color="var(--lms-palette-warning-main)" />}
      actions={
        <Button variant="contained" autoFocus onClick={renewSignIn}>
          {messages.expired.button}
        </Button>
      }
    >
      <Typography>{messages.expired.text}</Typography>
    </AppDialog>
  );
}
