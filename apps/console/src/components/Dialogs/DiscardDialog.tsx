import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { WarningIcon } from '../Icons.tsx';
import { AppDialog } from './AppDialog.tsx';

export interface DiscardDialogProps {
  open: boolean;
  onKeep: () => void;
  onDiscard: () => void;
}

const texts = {
  title: 'Discard what you entered?',
  text: 'Your entries in this dialog have not been saved.',
  keep: 'Keep editing',
  discard: 'Discard',
} as const;

/** Asks for confirmation before a dialog with entries is closed without saving, including by Escape. */
export function DiscardDialog({ open, onKeep, onDiscard }: DiscardDialogProps) {
  return (
    <AppDialog
      open={open}
      onClose={onKeep}
      role="alertdialog"
      maxWidth="xs"
      title={texts.title}
      icon={<WarningIcon color="var(--lms-palette-warning-main)" />}
      actions={
        <>
          <Button variant="outlined" color="inherit" onClick={onDiscard}>
            {texts.discard}
          </Button>
          <Button variant="contained" autoFocus onClick={onKeep}>
            {texts.keep}
          </Button>
        </>
      }
    >
      <Typography>{texts.text}</Typography>
    </AppDialog>
  );
}
