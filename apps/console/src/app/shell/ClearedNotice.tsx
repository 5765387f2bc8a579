import Button from '@mui/material/Button';
import { InfoIcon } from '../../components/Icons.tsx';
import { texts } from '../texts.ts';
import { NoticeStrip } from './NoticeStrip.tsx';

export interface ClearedNoticeProps {
  /** Whether anything can be restored. */
  offered: boolean;
  onBringBack: () => void;
  onDismiss: () => void;
}

/** Says that a press on a tab has cleared the choices, and offers to restore them. */
export function ClearedNotice({ offered, onBringBack, onDismiss }: ClearedNoticeProps) {
  return (
    <NoticeStrip tone="surface.sunken">
      {offered ? (
        <>
          <InfoIcon size={18} style={{ flex: 'none' }} />
          <span>{texts.cleared}</span>
          <Button size="small" onClick={onBringBack}>
            {texts.bringBack}
          </Button>
          <Button size="small" color="inherit" onClick={onDismiss}>
            {texts.dismiss}
          </Button>
        </>
      ) : null}
    </NoticeStrip>
  );
}
