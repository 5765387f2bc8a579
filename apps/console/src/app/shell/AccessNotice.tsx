import { OWN_ACCESS_PATH } from '@lms-admin/contract/tools';
import { endsWithin } from '@lms-admin/domain/access-records';
import { useState } from 'react';
import { Link } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { momentFormat } from '../../components/moments.ts';
import { texts } from '../texts.ts';
import { NoticeStrip } from './NoticeStrip.tsx';

const ends = (when: string) => `Your access to LMS Admin ends on ${when}.`;
const NEXT = 'If you need a later date, ask the person who manages access.';

/** Warns from 14 days before the administrator's access ends, and more strongly from 3 days before. */
export function AccessNotice() {
  const { access_until, userProfile } = useProfile();
  const [now] = useState(() => Date.now());
  const days = endsWithin(access_until, now);
  return (
    <NoticeStrip tone={days === 3 ? 'surface.warning' : 'surface.sunken'}>
      {days === null ? null : (
        <span style={{ flex: '1 1 0' }}>
          <strong>{ends(momentFormat(userProfile.time_zone)(access_until))}</strong> {NEXT}{' '}
          <Link to={OWN_ACCESS_PATH}>{texts.ownAccess}</Link>
        </span>
      )}
    </NoticeStrip>
  );
}
