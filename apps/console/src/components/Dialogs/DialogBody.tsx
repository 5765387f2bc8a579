import Box from '@mui/material/Box';
import Dialog, { type DialogProps } from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { LiveRegions } from '../Announcer.tsx';
import type { AppDialogProps, FocusTarget } from './types.ts';

function find(target: FocusTarget): HTMLElement | null {
  return typeof target === 'function' ? target() : target.current;
}

/** The content that `AppDialog` renders once it has been opened. */
export function DialogBody(props: AppDialogProps) {
  const { open, onClose, title, children, actions, icon, maxWidth = 'sm', fullScreen = false } = props;
  const { role = 'dialog', returnFocus, onClosed, flush = false } = props;
  const id = useId();

  function handleExited() {
    if (returnFocus) find(returnFocus)?.focus();
    onClosed?.();
  }

  const closing: Pick<DialogProps, 'onClose'> = onClose ? { onClose: () => onClose() } : {};
  return (
    <Dialog
      open={open}
      {...closing}
      fullWidth
      maxWidth={maxWidth}
      fullScreen={fullScreen}
      role={role}
      aria-labelledby={`${id}-title`}
      disableRestoreFocus={returnFocus !== undefined}
      slotProps={{
        transition: { onExited: handleExited },
        paper: {
          sx: fullScreen
            ? { m: 0, border: 0 }
            : { m: { xs: 2, sm: 4 }, width: { xs: 'calc(100% - 32px)', sm: undefined } },
        },
      }}
      {...(role === 'alertdialog' ? { 'aria-describedby': `${id}-text` } : {})}
    >
      <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', px: 3, pt: 2.5, pb: 1 }}>
        {icon !== undefined && <Box sx={{ lineHeight: 0 }}>{icon}</Box>}
        <Typography id={`${id}-title`} variant="h2">
          {title}
        </Typography>
      </Box>
      <DialogContent id={`${id}-text`} sx={{ px: flush ? 0 : 3, py: 1 }}>
        {children}
      </DialogContent>
      {actions !== undefined && (
        <DialogActions sx={{ px: 3, pb: 2.5, pt: 2, gap: 1, flexWrap: 'wrap' }}>{actions}</DialogActions>
      )}
      <LiveRegions />
    </Dialog>
  );
}
