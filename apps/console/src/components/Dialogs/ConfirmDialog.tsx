import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { LookIcon, StopIcon } from '../Icons.tsx';
import { AppDialog } from './AppDialog.tsx';
import type { FocusTarget } from './types.ts';

export interface ConfirmDialogProps {
  open: boolean;
  title: string;
  /** In words what will happen, with the figures. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  onConfirm: () => void;
  onCancel: () => void;
  /** `stop` for what cannot be taken back, `look` for what deserves a second look. */
  tone?: 'plain' | 'look' | 'stop';
  returnFocus?: FocusTarget;
}

const ICONS = {
  plain: null,
  look: <LookIcon color="var(--lms-palette-warning-main)" />,
  stop: <StopIcon color="var(--lms-palette-error-main)" />,
};

/** A question with two answers; the careful one has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirmLabel, cancelLabel, onConfirm, onCancel, returnFocus } = props;
  const { tone = 'plain' } = props;
  const icon = ICONS[tone];
  return (
    <AppDialog
      open={open}
      onClose={onCancel}
      role="alertdialog"
      title={title}
      {...(icon ? { icon } : {})}
      {...(returnFocus ? { returnFocus } : {})}
      actions={
        <>
          <Button color="inherit" autoFocus onClick={onCancel}>
            {cancelLabel}
          </Button>
          <Button variant="contained" color={tone === 'stop' ? 'error' : 'primary'} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <Typography component="div">{children}</Typography>
    </AppDialog>
  );
}
