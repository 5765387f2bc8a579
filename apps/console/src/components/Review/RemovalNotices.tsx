import type { RemovedWith } from '@lms-admin/contract/enrollments';
import Typography from '@mui/material/Typography';
import { useHasTool } from '../../api/session.ts';
import { Named } from '../Notice/Named.tsx';
import { Notice, ShortList } from '../Notice/Notice.tsx';
import { texts } from './texts.ts';

interface RemovalNoticesProps {
  with: RemovedWith;
  /** Observers linked to a student, who are not removed, with their course or section. */
  linked?: readonly { person: string; where: string }[];
}

/**
 * Everything else in the LMS that ends with the removed enrolments, and people with the same role who stay enrolled.
 */
export function RemovalNotices({ with: along, linked = [] }: RemovalNoticesProps) {
  const canImport = useHasTool('sis-import');
  const { members, observers, who, unread } = along;
  return (
    <>
      {members + observers > 0 && (
        <Named
          tone="warning"
          title={texts.alsoEnds(members, observers)}
          text={texts.alsoEndsText}
          lines={who.map(texts.alsoEndsLine)}
        />
      )}
      {unread.length > 0 && (
        <Notice tone="warning" title={texts.alsoUnreadTitle}>
          <Typography>{texts.alsoUnreadText}</Typography>
          <ShortList items={unread} more={texts.more} />
        </Notice>
      )}
      {linked.length > 0 && (
        <Named
          tone="warning"
          title={texts.linkedTitle(linked.length)}
          text={texts.linkedText(canImport)}
          lines={linked.map(({ person, where }) => texts.linked(person, where))}
        />
      )}
    </>
  );
}
