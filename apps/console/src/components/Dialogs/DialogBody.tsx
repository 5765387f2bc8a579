import Box from '@mui/material/Box';
import Dialog, { type DialogProps } from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef } from 'react';
import { LiveRegions } from '../Announcer.tsx';
import type { AppDialogProps, FocusTarget } from './types.ts';

/** Milliseconds within which two presses may be one. */
const DOUBLE_PRESS_MS = 600;

function find(target: FocusTarget): HTMLElement | null {
  return typeof target === 'function' ? target() : target.current;
}

/** The second press of a double one on a button that closes a dialog is not for what lies behind it. */
function swallowSecondPress(): void {
  const swallow = (press: MouseEvent) => {
    if (press.detail < 2) return;
    press.preventDefault();
    press.stopPropagation();
  };
  document.addEventListener('click', swallow, { capture: true });
  setTimeout(() => document.removeEventListener('click', swallow, { capture: true }), DOUBLE_PRESS_MS);
}

/** What `AppDialog` renders once it has been opened. */
export function DialogBody(props: AppDialogProps) {
  const { open, onClose, title, children, actions, icon, maxWidth = 'sm', fullScreen = false } = props;
  const { role = 'dialog', returnFocus, onClosed, flush = false } = props;
  const id = useId();

  function handleExited() {
    if (returnFocus) find(returnFocus)?.focus();
    onClosed?.();
  }

  const openedAt = useRef(0);
  useEffect(() => {
    if (!open) return undefined;
    openedAt.current = performance.now();
    return swallowSecondPress;
  }, [open]);
  const closing: Pick<DialogProps, 'onClose'> = onClose
    ? {
        onClose(_, reason) {
          // The second press of a double one lands beside a dialog that the first has opened.
          const again = performance.now() - openedAt.current < DOUBLE_PRESS_MS;
          if (reason !== 'backdropClick' || !again) onClose();
        },
      }
    : {};
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
        <DialogActions sx={{ px: 3, pb: 2.5, pt: 2, gap: 1 }}>{actions}</DialogActions>
      )}
      <LiveRegions />
    </Dialog>
  );
}
