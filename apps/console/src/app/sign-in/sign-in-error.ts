/** The welcome screen's message about a failed sign-in: kept in the error cookie, cleared once shown (OP-10). */
import { COOKIES } from '@lms-admin/contract/session';
import { readCookie, removeCookie, writeCookie } from '../../api/cookies.ts';

export interface SignInError {
  heading: string;
  body: string;
}

/** Parses the text of the error cookie; null for anything but a heading and a body. */
export function parseSignInError(text: string | null): SignInError | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { heading, body } = value as Record<string, unknown>;
    return typeof heading === 'string' && typeof body === 'string' ? { heading, body } : null;
  } catch {
    return null;
  }
}

export function leaveSignInError(error: SignInError): void {
  writeCookie(COOKIES.error, JSON.stringify(error));
}

/** Reads the error and removes its cookie, so that it is shown only once. */
export function takeSignInError(): SignInError | null {
  const error = parseSignInError(readCookie(COOKIES.error));
  removeCookie(COOKIES.error);
  return error;
}
