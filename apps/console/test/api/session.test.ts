import { COOKIES, type Profile } from '@lms-admin/contract/session';
import { SESSION_MS } from '@lms-admin/domain/constants';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readCookie } from '../../src/api/cookies.ts';
import { isTooOld, parseProfile, session } from '../../src/api/session.ts';

const NOW = 1_800_000_000_000;
const profile = (time: number) => ({
  access_token: 'handle',
  time,
  user: { id: 7, name: 'Alma Reyes' },
  userProfile: { avatar_url: null, time_zone: 'Europe/Paris' },
  sub_account: { perm: 'ALL', email: 'alma.reyes@northbridge.example', user_search: true },
});

/** Returns a document that has only cookies, stored the way a browser stores them. */
function cookieJar(): { cookie: string } {
  const jar = new Map<string, string>();
  return {
    get cookie() {
      return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set cookie(text: string) {
      const [pair = '', ...attributes] = text.split('; ');
      const at = pair.indexOf('=');
      if (attributes.includes('max-age=0')) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    },
  };
}

beforeEach(() => {
  vi.stubGlobal('document', cookieJar());
  vi.stubGlobal('window', { location: { protocol: 'http:' } });
});
afterEach(() => {
  session.remove();
  vi.unstubAllGlobals();
});

function keep(time: number): void {
  document.cookie = `${COOKIES.profile}=${encodeURIComponent(JSON.stringify(profile(time)))}; path=/`;
}

describe('the session on load', () => {
  it('AUTH-15 AUTH-16 AUTH-20 is read from its cookie, and the welcome flag is set to false', () => {
    keep(NOW - 1_000);
    expect(session.load(NOW)?.user.name).toBe('Alma Reyes');
    expect(session.get()).toMatchObject({ loginExpired: false, profile: { time: NOW - 1_000 } });
    expect(readCookie(COOKIES.welcome)).toBe('false');
  });

  it('AUTH-19 is removed when it is more than one hour old', () => {
    keep(NOW - SESSION_MS - 1);
    expect(session.load(NOW)).toBeNull();
    expect(session.get().profile).toBeNull();
    expect(readCookie(COOKIES.profile)).toBeNull();
  });

  it('AUTH-19 lasts the whole hour', () => {
    expect(isTooOld(NOW - SESSION_MS, NOW)).toBe(false);
    expect(isTooOld(NOW - SESSION_MS - 1, NOW)).toBe(true);
  });

  it('OP-13 is empty when the cookie is broken, incomplete or has an unknown permission', () => {
    for (const text of [null, '', '{', '[]', '{"time":1}']) expect(parseProfile(text)).toBeNull();
    const strange = { ...profile(NOW), sub_account: { perm: 'ROOT', email: 'a@b.example' } };
    expect(parseProfile(JSON.stringify(strange))).toBeNull();
  });

  it('PERM-03 missing flags of the record are false', () => {
    const read = parseProfile(JSON.stringify(profile(NOW)));
    expect(read?.sub_account).toMatchObject({ user_search: true, sis_import: false });
  });
});

describe('changed permissions', () => {
  const say = (some: object) => {
    document.cookie = `${COOKIES.profile}=${encodeURIComponent(JSON.stringify({ ...profile(NOW), ...some }))}; path=/`;
  };

  it('are adopted and reported once, when an answer has changed the cookie of the same session', () => {
    keep(NOW);
    session.load(NOW);
    let told = 0;
    const stop = session.watch(() => told++);
    session.follow();
    expect(told).toBe(0);
    const sub_account = { perm: 'ALL', email: 'alma.reyes@northbridge.example', sis_import: true };
    say({ sub_account, access_until: '2026-11-27T22:59:59.000Z' });
    session.follow();
    session.follow();
    expect(told).toBe(1);
    expect(session.get().profile).toMatchObject({
      sub_account: { sis_import: true, user_search: false },
      access_until: '2026-11-27T22:59:59.000Z',
    });
    // Another person has signed in in another tab: this tab keeps its own session.
    say({ access_token: 'another' });
    session.follow();
    expect(told).toBe(1);
    stop();
  });
});

describe('an expired login', () => {
  it('AUTH-21 SHELL-35 is false at first and true after a 401', () => {
    keep(NOW);
    session.load(NOW);
    const seen: boolean[] = [];
    const stop = session.watch(() => seen.push(session.get().loginExpired));
    session.expire();
    session.expire();
    stop();
    expect(seen).toEqual([true]);
  });

  it('has no meaning for someone who is not signed in', () => {
    session.expire();
    expect(session.get().loginExpired).toBe(false);
  });

  it('AUTH-22 ends with the cookies removed', () => {
    keep(NOW);
    session.load(NOW);
    session.expire();
    session.remove();
    expect(document.cookie).toBe('');
    expect(session.get()).toEqual({ profile: null, loginExpired: false });
  });

  it('AUTH-11 is replaced by a new sign-in', () => {
    const fresh = parseProfile(JSON.stringify(profile(NOW))) as Profile;
    session.start(fresh);
    expect(session.get()).toEqual({ profile: fresh, loginExpired: false });
  });
});
