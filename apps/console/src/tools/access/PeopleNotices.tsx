import type { AccessLogins, ListedRecord } from '@lms-admin/contract/access';
import { hasFlag } from '@lms-admin/domain/access';
import { endsWithin, gapsOf } from '@lms-admin/domain/access-records';
import Typography from '@mui/material/Typography';
import { useProfile } from '../../api/session.ts';
import { momentFormat } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { texts } from './texts.ts';
import { lastAdminEnds } from './words.ts';

const words = texts.people;
/** Maximum number of logins named in a sentence. */
const MOST_NAMED = 5;

interface PeopleNoticesProps {
  records: readonly ListedRecord[];
  /** Undefined until the LMS has answered. */
  logins: AccessLogins | undefined;
  now: number;
}

/**
 * Notices for an access administrator: access that ends soon, and records that no one can use or that allow nothing.
 */
export function PeopleNotices({ records, logins, now }: PeopleNoticesProps) {
  const active = records.filter(({ state }) => state === 'active');
  const soon = active.filter(({ expires_at }) => endsWithin(expires_at, now) !== null);
  const idle = active.filter((entry) => gapsOf(entry).length > 0);
  const missing = logins?.missing ?? [];
  const lastEnd = lastAdminEnds(records, now);
  const moment = momentFormat(useProfile().userProfile.time_zone);
  const idleAdmins = active.filter(
    ({ record, signed_in_at }) => hasFlag(record, 'access_admin') && signed_in_at === null,
  );
  return (
    <>
      {lastEnd !== null && <AccessNotice title={words.lastEnds(moment(lastEnd))} next={words.lastEndsNext} />}
      {missing.length > 0 && (
        <AccessNotice title={words.missing(missing.length)} next={words.missingNext(named(missing))} />
      )}
      {idleAdmins.length > 0 && (
        <AccessNotice
          title={words.idleAdmins(named(idleAdmins.map(({ login }) => login)))}
          next={words.idleAdminsNext}
        />
      )}
      {idle.length > 0 && <AccessNotice title={words.idle(idle.length)} next={words.idleNext} />}
      {soon.length > 0 && <AccessNotice title={words.soon(soon.length)} next={words.soonNext} />}
      {(logins?.unread ?? 0) > 0 && <Notice tone="info" title={words.unread(logins?.unread ?? 0)} />}
    </>
  );
}

function AccessNotice({ title, next }: { title: string; next: string }) {
  return (
    <Notice tone="warning" title={title}>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{next}</Typography>
    </Notice>
  );
}

function named(logins: readonly string[]): string {
  const rest = logins.length - MOST_NAMED;
  return [...logins.slice(0, MOST_NAMED), ...(rest > 0 ? [texts.review.more(rest)] : [])].join(', ');
}
