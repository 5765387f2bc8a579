import type { CopiedPeople } from '@lms-admin/contract/enrollments';
import { counted } from '@lms-admin/domain/numbers';
import Typography from '@mui/material/Typography';
import { useProfile } from '../../api/session.ts';
import { timeOf } from '../moments.ts';
import { Notice } from '../Notice/Notice.tsx';
import { texts } from './texts.ts';

/** People of a review who are from the directory's copy, and when it was created. Null shows nothing. */
export function CopiedNotice({ copied }: { copied: CopiedPeople | null }) {
  const zone = useProfile().userProfile.time_zone;
  if (copied === null) return null;
  const asOf = timeOf(copied.as_of, zone);
  return (
    <Notice
      tone="info"
      title={texts.copiedTitle(counted(copied.count, 'person', 'people'), copied.count, asOf)}
    >
      <Typography>{texts.copiedText}</Typography>
    </Notice>
  );
}
