import { messages } from '@lms-admin/contract/messages';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { WarningIcon } from '../Icons.tsx';
import { AppDialog } from './AppDialog.tsx';
import type { FocusTarget } from './types.ts';

export interface WarningDialogProps {
  /** The documented text; null without a warning. */
  text: string | null;
  onClose: () => void;
  /** The field that the warning is about. */
  returnFocus?: FocusTarget;
}

/** Says what is missing in the documented dialog ('Warning!!', 'Ok'). Focus then goes to the field (ERR-01, OP-32). */
export function WarningDialog({ text, onClose, returnFocus }: WarningDialogProps) {
  // The text stays while the dialog fades out.
  const [lastText, setLastText] = useState(text);
  if (text !== null && text !== lastText) setLastText(text);
  return (
    <AppDialog
      open={text !== null}
      onClose={onClose}
      role="alertdialog"
      maxWidth="xs"
      title={messages.warning.title}
      icon={<WarningIcon color="var(--lms-palette-warning-main)" />}
      {...(returnFocus ? { returnFocus } : {})}
      actions={
        <Button variant="contained" autoFocus onClick={onClose}>
          {messages.warning.ok}
        </Button>
      }
    >
      <Typography>{text ?? lastText}</Typography>
    </AppDialog>
  );
}
