import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { InfoIcon } from '../../components/Icons.tsx';
import { SAVE } from './change-places.ts';
import { texts } from './texts.ts';

const words = zoomCreationMessages;

interface ChangeActionsProps {
  step: 1 | 2 | 3;
  saveLabel: string;
  /** Why the form cannot be saved yet, or null. */
  blocked: string | null;
  starting: boolean;
  onSave: () => void;
  onClose: () => void;
}

/** 'Cancel' and 'Save' in steps 1 and 2, disabled in 2; 'Done' in step 3 (ZC-23, OP-67). */
export function ChangeActions({ step, saveLabel, blocked, starting, onSave, onClose }: ChangeActionsProps) {
  if (step === 3)
    return (
      <Button variant="contained" autoFocus onClick={onClose} sx={{ minWidth: 104 }}>
        {words.done}
      </Button>
    );
  const waits = step === 2;
  return (
    <>
      {waits && (
        <Button autoFocus color="inherit" onClick={onClose} sx={{ mr: 'auto' }}>
          {texts.wait.away}
        </Button>
      )}
      {!waits && blocked !== null && (
        <Typography
          id={`${SAVE}-reason`}
          variant="body2"
          sx={{ display: 'flex', gap: 0.75, color: 'text.secondary', mr: 'auto', minWidth: 0 }}
        >
          <InfoIcon size={18} style={{ flex: 'none' }} />
          {blocked}
        </Typography>
      )}
      <Button variant="outlined" color="inherit" disabled={waits} onClick={onClose}>
        {words.cancel}
      </Button>
      <Button
        id={SAVE}
        variant="contained"
        disabled={waits}
        aria-disabled={waits || starting || blocked !== null}
        aria-describedby={blocked === null ? undefined : `${SAVE}-reason`}
        onClick={onSave}
        sx={{ minWidth: 104, opacity: blocked !== null || starting ? 0.6 : 1 }}
      >
        {saveLabel}
      </Button>
    </>
  );
}
