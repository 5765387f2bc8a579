import Box from '@mui/material/Box';
import { useSyncExternalStore } from 'react';
import { onConnection } from '../../api/connection.ts';
import { OfflineIcon } from '../../components/Icons.tsx';
import { texts } from '../texts.ts';

/** Says that the browser has no connection, for as long as it has none. */
export function OfflineNotice() {
  const online = useSyncExternalStore(onConnection, () => navigator.onLine);
  return (
    <div role="status">
      {!online && (
        <Box
          sx={{ bgcolor: 'surface.warning', borderBottom: 1, borderColor: 'divider', color: 'text.primary' }}
        >
          <Box
            sx={{
              maxWidth: 1000,
              boxSizing: 'border-box',
              mx: 'auto',
              px: { xs: 2, sm: 3 },
              py: 1,
              display: 'flex',
              gap: 1,
            }}
          >
            <OfflineIcon color="var(--lms-palette-warning-main)" style={{ flex: 'none' }} />
            <span>
              <strong>{texts.offline}</strong> {texts.offlineNext}
            </span>
          </Box>
        </Box>
      )}
    </div>
  );
}
