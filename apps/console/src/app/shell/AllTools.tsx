import type { Permissions } from '@lms-admin/domain/access';
import { styled } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { AllToolsIcon } from '../../components/Icons.tsx';
import { later } from '../../components/later.tsx';
import { texts } from '../texts.ts';

// The list is rarely used, so it is loaded on demand.
const AllToolsList = later(() => import('./AllToolsList.tsx').then(({ AllToolsList: list }) => list));

const Trigger = styled('button')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  flex: 'none',
  height: 48,
  padding: '0 0 0 12px',
  border: 0,
  background: 'none',
  color: theme.vars.palette.text.secondary,
  font: 'inherit',
  fontWeight: 560,
  whiteSpace: 'nowrap',
  cursor: 'pointer',
  '&:hover': { color: theme.vars.palette.text.primary },
  [theme.breakpoints.down('sm')]: {
    '& .word': { display: 'none' },
    minWidth: 44,
    justifyContent: 'flex-end',
  },
}));

interface AllToolsProps {
  record: Permissions;
  recordingsUrl: string | null;
  /** Called when a tool is pressed, like a press on its tab. */
  onPress: () => void;
}

/**
 * Button for the list of all tools: each tool is two presses away, however many there are. Ctrl+K and ⌘K open it too.
 */
export function AllTools(props: AllToolsProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    function handleKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || document.querySelector('[role=dialog], [role=alertdialog]'))
        return;
      event.preventDefault();
      setOpen(true);
    }
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);
  const close = () => setOpen(false);
  return (
    <>
      <Trigger
        type="button"
        aria-label={texts.allTools}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title={texts.allToolsHint}
        onPointerEnter={AllToolsList.fetch}
        onFocus={AllToolsList.fetch}
        onClick={() => setOpen(true)}
      >
        <AllToolsIcon size={18} />
        <span className="word">{texts.allTools}</span>
      </Trigger>
      <AppDialog open={open} onClose={close} title={texts.allTools} maxWidth="xs" flush>
        <AllToolsList {...props} onDone={close} />
      </AppDialog>
    </>
  );
}
