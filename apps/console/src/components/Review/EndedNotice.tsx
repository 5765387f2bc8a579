import type { PlannedMember } from '@lms-admin/contract/groups';
import { peopleEnded } from '@lms-admin/domain/group-members';
import Typography from '@mui/material/Typography';
import { Notice } from '../Notice/Notice.tsx';
import { texts } from './texts.ts';

/** People who are added to groups although their enrolment in the course has ended. */
export function EndedNotice({ of }: { of: readonly PlannedMember[] }) {
  const count = peopleEnded(of);
  if (count === 0) return null;
  return (
    <Notice tone="warning" title={texts.endedTitle(count)}>
      <Typography>{texts.endedText}</Typography>
    </Notice>
  );
}
