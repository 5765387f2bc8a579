import { useSyncExternalStore } from 'react';
import { onConnection } from '../../api/connection.ts';
import { OfflineIcon } from '../../components/Icons.tsx';
import { texts } from '../texts.ts';
import { NoticeStrip } from './NoticeStrip.tsx';

/** Shown for as long as the browser has no connection. */
export function OfflineNotice() {
  const online = useSyncExternalStore(onConnection, () => navigator.onLine);
  return (
    <NoticeStrip tone="surface.warning">
      {online ? null : (
        <>
          <OfflineIcon color="var(--lms-palette-warning-main)" style={{ flex: 'none' }} />
          <span style={{ flex: '1 1 0' }}>
            <strong>{texts.offline}</strong> {texts.offlineNext}
          </span>
        </>
      )}
    </NoticeStrip>
  );
}
