import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { CheckIcon, CloseIcon, InfoIcon, StopIcon } from '../Icons.tsx';
import { texts } from './texts.ts';
import type { Toast } from './useToasts.ts';

/** Milliseconds until a toast hides automatically. */
const SHOWN_MS = 10_000;
const ICONS = { done: CheckIcon, info: InfoIcon, stop: StopIcon } as const;

export interface ToastsProps {
  toasts: readonly Toast[];
  onClose: (id: number) => void;
}

/**
 * Short messages at the bottom of the window, on dark green, which hide automatically. Anything that must be read
 * or acted on is on the screen as well: a toast is easily missed.
 */
export function Toasts({ toasts, onClose }: ToastsProps) {
  return (
    <Box
      role="status"
      sx={{
        position: 'fixed',
        insetInline: 16,
        // Above the action bar of a wizard.
        bottom: 88,
        zIndex: 'snackbar',
        display: 'grid',
        gap: 1,
        justifyItems: 'center',
        pointerEvents: 'none',
      }}
    >
      {toasts.map((toast) => (
        <OneToast key={toast.id} toast={toast} onClose={onClose} />
      ))}
    </Box>
  );
}

function OneToast({ toast, onClose }: { toast: Toast; onClose: (id: number) => void }) {
  const { id, text, tone, ms } = toast;
  const [held, setHeld] = useState(false);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  // A toast that has the pointer over it or the focus inside is still being read.
  useEffect(() => {
    if (held && ms === undefined) return undefined;
    const timer = setTimeout(() => close.current(id), ms ?? SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, id, ms]);
  const Icon = ICONS[tone];
  return (
    <Paper
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        maxWidth: 560,
        pl: 2,
        pr: ms === undefined ? 1 : 2,
        py: 1,
        pointerEvents: 'auto',
        bgcolor: 'surface.bar',
        color: 'surface.barInk',
        borderColor: 'surface.barQuiet',
        boxShadow: '0 8px 24px rgb(9 24 19 / 24%)',
      }}
    >
      <Icon style={{ flex: 'none' }} />
      <Typography sx={{ overflowWrap: 'anywhere' }}>{text}</Typography>
      {ms === undefined && (
        <IconButton color="inherit" size="small" aria-label={texts.close} onClick={() => onClose(id)}>
          <CloseIcon size={18} />
        </IconButton>
      )}
    </Paper>
  );
}
