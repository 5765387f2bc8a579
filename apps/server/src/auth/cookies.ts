/** Cookies of a session: an HttpOnly one with its key, and those that the console reads (OP-04, OP-10). */
import type { CookieSerializeOptions } from '@fastify/cookie';
import { messages } from '@lms-admin/contract/messages';
import {
  COOKIES,
  type Profile,
  profile as profileSchema,
  type SubAccount,
} from '@lms-admin/contract/session';
import { SESSION_MS } from '@lms-admin/domain/constants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { profileCookie } from './profile-cookie.ts';
import { SIGN_IN_MS } from './sign-in.ts';

type Closed = 'session' | 'state';

/**
 * Returns the name of a secret cookie. With https it starts with `__Host-`: browsers then accept it only from this
 * host, so another host of the domain cannot replace it.
 */
export function closedCookie(which: Closed, origin: string): string {
  return `${origin.startsWith('https:') ? '__Host-' : ''}${COOKIES[which]}`;
}

/** Reads a secret cookie. A name that occurs twice is ignored, since the server cannot tell which one it set. */
export function readClosed(request: FastifyRequest, which: Closed, origin: string): string | undefined {
  const name = closedCookie(which, origin);
  const sent = (request.headers.cookie ?? '').split(';');
  const named = sent.filter((pair) => pair.split('=')[0]?.trim() === name);
  return named.length === 1 ? request.cookies[name] : undefined;
}

function base(origin: string): CookieSerializeOptions {
  return { path: '/', sameSite: 'lax', secure: origin.startsWith('https:') };
}

/** Binds a sign-in to this browser. */
export function setStateCookie(reply: FastifyReply, origin: string, value: string): void {
  reply.setCookie(closedCookie('state', origin), value, {
    ...base(origin),
    httpOnly: true,
    maxAge: SIGN_IN_MS / 1_000,
  });
}

/** Sets the cookies after a sign-in; all of them end with the session. */
export function setSessionCookies(
  reply: FastifyReply,
  origin: string,
  session: string,
  profile: Profile,
): void {
  const readable = { ...base(origin), maxAge: SESSION_MS / 1_000, encode: (value: string) => value };
  reply.setCookie(closedCookie('session', origin), session, {
    ...readable,
    httpOnly: true,
    sameSite: 'strict',
  });
  reply.setCookie(COOKIES.profile, profileCookie(profile), readable);
  reply.setCookie(COOKIES.welcome, 'false', readable);
  reply.clearCookie(COOKIES.error, base(origin));
  reply.clearCookie(closedCookie('state', origin), base(origin));
}

/** Sets the readable cookie again if the person's access has changed. */
export function followAccess(
  request: FastifyRequest,
  reply: FastifyReply,
  origin: string,
  { record, accessUntil = null, now }: { record: SubAccount; accessUntil?: string | null; now: number },
): void {
  const before = readProfile(request.cookies[COOKIES.profile]);
  if (before === null) return;
  const same = JSON.stringify(before.sub_account) === JSON.stringify(record);
  if (same && before.access_until === accessUntil) return;
  const left = Math.floor((before.time + SESSION_MS - now) / 1_000);
  if (left <= 0) return;
  reply.setCookie(
    COOKIES.profile,
    profileCookie({ ...before, sub_account: record, access_until: accessUntil }),
    {
      ...base(origin),
      maxAge: left,
      encode: (value: string) => value,
    },
  );
}

function readProfile(text: string | undefined): Profile | null {
  if (text === undefined) return null;
  try {
    const read = profileSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Makes the welcome screen show the text for a person without a record (AUTH-13, AUTH-14). */
export function setUnknownUserCookies(reply: FastifyReply, origin: string): void {
  const { heading, body } = messages.unknownUser;
  reply.setCookie(COOKIES.error, JSON.stringify({ heading, body }), { ...base(origin), maxAge: 600 });
  reply.setCookie(COOKIES.welcome, 'true', base(origin));
  reply.clearCookie(closedCookie('state', origin), base(origin));
}

/** Removes the session cookies from the browser. */
export function clearSessionCookies(reply: FastifyReply, origin: string): void {
  for (const name of [closedCookie('session', origin), COOKIES.profile, COOKIES.welcome])
    reply.clearCookie(name, base(origin));
}
