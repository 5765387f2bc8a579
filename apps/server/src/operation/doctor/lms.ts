/** The LMS: developer key, redirect address of the sign-in, service token with its permissions and end, and clock. */
import { ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { z } from 'zod';
import { createOAuth } from '../../auth/oauth.ts';
import { createCanvasClient } from '../../canvas/client.ts';
import { type CanvasClient, CanvasError, serviceToken } from '../../canvas/types.ts';
import type { Config } from '../../platform/config.ts';
import { capital, type OutsideErrorKind, outsideWords, THE_LMS } from '../../platform/outside.ts';
import { type Finding, fail, ok, skip, warn } from './check.ts';

const DAY_MS = 86_400_000;
/** A token that expires sooner causes a warning. */
const SOON_DAYS = 30;
/** Imports are recognised by their times; a larger difference means a wrong clock (milliseconds). */
const CLOCK_MS = 60_000;

const RENEW = 'Create a new token in the LMS, set LMS_SERVICE_TOKEN to it, and restart.';

/** Paths read on the root account, each with the scope that a scoped developer key needs. */
const READ = ['', '/sis_imports', '/roles', '/terms', '/sub_accounts', '/users'] as const;
const scopeOf = (path: string) => `url:GET|/api/v1/accounts/:${path === '' ? 'id' : 'account_id'}${path}`;

export async function lmsFindings(config: Config): Promise<Finding[]> {
  const canvas = createCanvasClient(config.lms);
  try {
    const { state, message, next, failure } = await canvas.check();
    // An LMS that refuses the token does answer.
    const isAnswering = state === 'up' || failure?.kind === 'token-refused' || failure?.kind === 'signed-out';
    if (!isAnswering) {
      const silent = failure?.kind === 'down' || failure?.kind === 'timeout';
      return silent
        ? [
            fail(
              'lms',
              `The LMS does not answer on ${config.lms.url} (${failure.detail || failure.kind}).`,
              'Check LMS_URL, and whether this machine can reach it.',
            ),
          ]
        : [fail('lms', message, next ?? '')];
    }
    const findings = [ok('lms', `${config.lms.url} answers.`), clock(canvas)];
    findings.push(...(await developerKey(config, canvas)));
    findings.push(...(await token(config, canvas)));
    return findings;
  } finally {
    await canvas.close();
  }
}

function clock(canvas: CanvasClient): Finding {
  const apart = Math.abs(canvas.now().getTime() - Date.now());
  const text = `The clocks of this machine and of the LMS are ${Math.round(apart / 1_000)} s apart.`;
  return apart > CLOCK_MS
    ? warn('clock', text, 'Synchronise this machine with a time server.')
    : ok('clock', text);
}

async function developerKey({ lms, origin }: Config, canvas: CanvasClient): Promise<Finding[]> {
  const oauth = createOAuth(lms, canvas.fetch);
  try {
    // No refresh token has this value. The LMS answers that the token is wrong only if it accepts the developer key.
    await oauth.renew('lms-admin-doctor');
  } catch (error) {
    const refused = error instanceof CanvasError && error.kind === 'token-refused';
    if (!refused) return [fail('sign-in', words(error), '')];
    const next =
      'Compare LMS_CLIENT_ID and LMS_CLIENT_SECRET with the key in the LMS, and check that the key is switched on.';
    return [fail('sign-in', 'The LMS rejects the developer key.', next)];
  }
  const accepted = ok('sign-in', 'The LMS accepts the developer key.');
  if (origin === null) return [accepted];
  try {
    const address = `${origin}/`;
    return (await oauth.allowsReturn(address))
      ? [accepted, ok('sign-in', `Sign-in returns to ${address}.`)]
      : [
          accepted,
          fail(
            'sign-in',
            `The developer key does not allow sign-in to return to ${address}.`,
            'Add this address to its redirect URIs in the LMS.',
          ),
        ];
  } catch (error) {
    return [accepted, fail('sign-in', words(error), '')];
  }
}

async function token({ lms }: Config, canvas: CanvasClient): Promise<Finding[]> {
  const value = lms.serviceToken;
  if (value === null)
    return [
      skip(
        'service token',
        'LMS_SERVICE_TOKEN is not set, so each administrator works with their own permissions.',
      ),
    ];
  const probe = { token: serviceToken(value), method: 'GET', answer: z.unknown() } as const;
  const missing: string[] = [];
  for (const path of READ) {
    try {
      const query = path === '' ? [] : ([['per_page', '1']] as const);
      await canvas.call({ ...probe, path: `accounts/${ROOT_ACCOUNT_ID}${path}`, query });
    } catch (error) {
      if (error instanceof CanvasError && error.ofToken) {
        return [fail('service token', 'The LMS does not accept LMS_SERVICE_TOKEN.', RENEW)];
      }
      if (!(error instanceof CanvasError) || error.kind !== 'refused')
        return [fail('service token', words(error), '')];
      missing.push(scopeOf(path));
    }
  }
  const may =
    missing.length === 0
      ? ok('service token', 'It can read what LMS Admin needs.')
      : fail(
          'service token',
          `It cannot read everything: ${missing.join(', ')}.`,
          'Give its user these permissions in the LMS, or its token these scopes.',
        );
  return [may, await end(canvas, value)];
}

const tokens = z.array(z.object({ token_hint: z.string().nullish(), expires_at: z.string().nullish() }));

async function end(canvas: CanvasClient, value: string): Promise<Finding> {
  const at = await tokenEnd(canvas, value);
  if (at === 'unknown') {
    const look = 'In the LMS, open the settings of its user and look under "Approved integrations".';
    return skip('service token', 'The LMS does not say when the token expires.', look);
  }
  if (at === 'never') return ok('service token', 'It does not expire.');
  const days = Math.floor((at.getTime() - canvas.now().getTime()) / DAY_MS);
  const text = `It expires on ${at.toISOString().slice(0, 10)}, in ${days} ${days === 1 ? 'day' : 'days'}.`;
  return days < SOON_DAYS ? warn('service token', text, RENEW) : ok('service token', text);
}

/** Reads the expiry of a token. Canvas lists a person's tokens with the first characters of each. */
export async function tokenEnd(canvas: CanvasClient, value: string): Promise<Date | 'never' | 'unknown'> {
  const request = {
    token: serviceToken(value),
    method: 'GET',
    path: 'users/self/user_generated_tokens',
    query: [['per_page', '100']],
    answer: tokens,
  } as const;
  const listed = await canvas.list(request).catch((error: unknown) => {
    if (error instanceof CanvasError) return null;
    throw error;
  });
  const own = (listed ?? []).filter(({ token_hint }) => token_hint && value.startsWith(token_hint));
  const [one] = own;
  if (!one || own.length > 1) return 'unknown';
  return one.expires_at ? new Date(one.expires_at) : 'never';
}

function words(error: unknown): string {
  const kind: OutsideErrorKind = error instanceof CanvasError ? error.kind : 'odd';
  const { message, next } = outsideWords(kind, THE_LMS, error instanceof CanvasError ? error.detail : '');
  return `${capital(message)} ${next}`;
}
