/** The readable profile cookie: the session data that the browser can see (OP-04). */
import type { Profile, SubAccount } from '@lms-admin/contract/session';

/** Browsers reject cookies above 4,096 bytes, including name and attributes. */
export const MAX_PROFILE_COOKIE_BYTES = 3_620;

/** Placeholder for name, avatar address and time zone, which the LMS returns at sign-in. */
const LMS_PART: Omit<Profile, 'sub_account'> = {
  access_token: 'x'.repeat(32),
  time: 1_800_000_000_000,
  user: { id: 10_000_000_000_042, name: 'n'.repeat(100) },
  userProfile: { avatar_url: 'a'.repeat(300), time_zone: 'America/Argentina/Buenos_Aires' },
  access_until: '2026-11-26T17:00:00.000Z',
};

/** Returns the value of the cookie: percent-encoded JSON. */
export function profileCookie(profile: Profile): string {
  return encodeURIComponent(JSON.stringify(profile));
}

/** Returns the maximum size of a record's cookie in bytes, whatever profile the LMS returns. */
export function profileCookieBytes(record: SubAccount): number {
  return profileCookie({ ...LMS_PART, sub_account: record }).length;
}
