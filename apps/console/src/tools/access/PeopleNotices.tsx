import type { AccessLogins, ListedRecord } from '@lms-admin/contract/access';
import { hasFlag } from '@lms-admin/domain/access';
import { endsWithin, gapsOf } from '@lms-admin/domain/access-records';
import Typography from '@mui/material/Typography';
import { Notice } from '../../components/Notice/Notice.tsx';
import { texts } from './texts.ts';

const words = texts.people;
/** Logins that are named in a sentence. */
const MOST_NAMED = 5;

interface PeopleNoticesProps {
  records: readonly ListedRecord[];
  /** Undefined while the LMS has not been asked. */
  logins: AccessLogins | undefined;
  now: number;
}

/** What an access administrator should look at: ends that are near, records that no one can use, or that can do nothing. */
export function PeopleNotices({ records, logins, now }: PeopleNoticesProps) {
  const active = records.filter(({ state }) => state === 'active');
  const soon = active.filter(({ expires_at }) => endsWithin(expires_at, now) !== null);
  const idle = active.filter((entry) => gapsOf(entry).length > 0);
  const missing = logins?.missing ?? [];
  const idleAdmins = active.filter(
    ({ record, signed_in_at }) => hasFlag(record, 'access_admin') && signed_in_at === null,
  );
  return (
    <>
      {missing.length > 0 && (
        <Said title={words.missing(missing.length)} next={words.missingNext(named(missing))} />
      )}
      {idleAdmins.length > 0 && (
        <Said
          title={words.idleAdmins(named(idleAdmins.map(({ login }) => login)))}
          next={words.idleAdminsNext}
        />
      )}
      {idle.length > 0 && <Said title={words.idle(idle.length)} next={words.idleNext} />}
      {soon.length > 0 && <Said title={words.soon(soon.length)} next={words.soonNext} />}
      {(logins?.unread ?? 0) > 0 && <Notice tone="info" title={words.unread(logins?.unread ?? 0)} />}
    </>
  );
}

function Said({ title, next }: { title: string; next: string }) {
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
