import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import type { FocusTarget } from '../../components/Dialogs/types.ts';
import { Sentences } from './Sentences.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  title: string;
  /** The documented text. */
  text: string;
  /** What will happen, with figures. */
  sentences: readonly string[];
  onCancel: () => void;
  onConfirm: () => void;
  returnFocus: FocusTarget;
}

const words = groupEnrollmentMessages.groups;

/** The documented confirmation before anything is sent (GRP-17, GRP-30), with what will happen. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, text, sentences, onCancel, onConfirm, returnFocus } = props;
  return (
    <AppDialog
      open={open}
      onClose={onCancel}
      title={title}
      returnFocus={returnFocus}
      actions={
        <>
          <Button variant="outlined" color="inherit" onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button variant="contained" autoFocus onClick={onConfirm}>
            {words.confirmButton}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 1.5, overflowWrap: 'anywhere' }}>
        <Typography>{text}</Typography>
        <Sentences of={sentences} />
      </Box>
    </AppDialog>
  );
}
