import type { CopiedPeople } from '@lms-admin/contract/enrollments';
import { counted } from '@lms-admin/domain/numbers';
import Typography from '@mui/material/Typography';
import { useProfile } from '../../api/session.ts';
import { clockFormat } from '../moments.ts';
import { Notice } from '../Notice/Notice.tsx';
import { texts } from './texts.ts';

/** `02:10`, with the date if it is not today. */
function timeOf(ms: number, zone: string | null): string {
  return clockFormat(zone, Date.now())(new Date(ms).toISOString());
}

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
