import { useCallback } from 'react';
import { useProfile } from '../../api/session.ts';
import { momentFormat } from '../../components/moments.ts';

/** Formats moments in the administrator's time zone; a dash for null. The function stays the same between renders. */
export function useMoment(): (at: number | null) => string {
  const { time_zone } = useProfile().userProfile;
  return useCallback(
    (at) => momentFormat(time_zone)(at === null ? null : new Date(at).toISOString()),
    [time_zone],
  );
}
