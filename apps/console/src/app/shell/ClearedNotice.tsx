import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { InfoIcon } from '../../components/Icons.tsx';
import { texts } from '../texts.ts';

export interface ClearedNoticeProps {
  /** Whether there is something to be had back. */
  offered: boolean;
  onBringBack: () => void;
  onDismiss: () => void;
}

/** Says that a press on a tab has cleared what was chosen, and gives it back. */
export function ClearedNotice({ offered, onBringBack, onDismiss }: ClearedNoticeProps) {
  return (
    <div role="status">
      {offered && (
        <Box
          sx={{ bgcolor: 'surface.sunken', borderBottom: 1, borderColor: 'divider', color: 'text.primary' }}
        >
          <Box
            sx={{
              maxWidth: 1000,
              boxSizing: 'border-box',
              mx: 'auto',
              px: { xs: 2, sm: 3 },
              py: 0.5,
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              gap: 1,
            }}
          >
            <InfoIcon size={18} style={{ flex: 'none' }} />
            <span>{texts.cleared}</span>
            <Button size="small" onClick={onBringBack}>
              {texts.bringBack}
            </Button>
            <Button size="small" color="inherit" onClick={onDismiss}>
              {texts.dismiss}
            </Button>
          </Box>
        </Box>
      )}
    </div>
  );
}
