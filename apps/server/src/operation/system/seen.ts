/** How a request arrived: what the proxy in front says of it, and whether that is what it should say. */
import type { SystemOverview } from '@lms-admin/contract/system';
import type { FastifyRequest } from 'fastify';
import { addressesOf } from '../../platform/networks.ts';
import { type Finding, fail, ok, skip, warn } from '../doctor/check.ts';

export type Seen = SystemOverview['seen'];

/** What proxies add. */
const HEADERS = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'forwarded',
  'via',
] as const;
const MOST_TEXT = 300;
const NAME = 'proxy';

export function seenIn({ headers, host, protocol, ip, socket }: FastifyRequest, origin: string): Seen {
  return {
    origin,
    host: headers.host ?? host,
    protocol,
    address: ip,
    peer: socket.remoteAddress ?? '',
    headers: HEADERS.flatMap((name) => {
      const value = headers[name];
      if (value === undefined) return [];
      return [{ name, value: (Array.isArray(value) ? value.join(', ') : value).slice(0, MOST_TEXT) }];
    }),
  };
}

/** @param trusted the proxies that are believed, beside this machine */
export function proxyFindings(seen: Seen, trusted: readonly string[]): Finding[] {
  const said = new Map(seen.headers.map(({ name, value }) => [name, value]));
  const isBelieved = addressesOf(trusted)(plain(seen.peer));
  const secure = seen.origin.startsWith('https:');
  return [whoAsks(said.get('x-forwarded-for'), isBelieved, secure), https(seen, secure), asked(seen)];
}

/** An IPv4 address as it is written otherwise. */
const plain = (address: string) => address.replace(/^::ffff:/, '');

function whoAsks(said: string | undefined, isBelieved: boolean, secure: boolean): Finding {
  if (said === undefined) {
    return secure
      ? warn(
          NAME,
          'The proxy does not say who asks (X-Forwarded-For): everyone seems to come from its address.',
          'Have the proxy set X-Forwarded-For: docs/operating/proxies.md has a file for each.',
        )
      : skip(NAME, 'Nothing in front says who asks (X-Forwarded-For).');
  }
  return isBelieved
    ? ok(NAME, 'The proxy says who asks (X-Forwarded-For), and is believed.')
    : warn(
        NAME,
        'X-Forwarded-For is there, and is not believed: it does not come from a proxy in TRUSTED_PROXIES.',
        'If this is your proxy, add its address to TRUSTED_PROXIES, and restart.',
      );
}

function https({ protocol }: Seen, secure: boolean): Finding {
  if (!secure) return skip('https', 'LMS_ADMIN_URL has no https: this is for one machine only.');
  return protocol === 'https'
    ? ok('https', 'The proxy says that the browser uses https (X-Forwarded-Proto).')
    : warn(
        'https',
        'The proxy does not say that the browser uses https (X-Forwarded-Proto).',
        'Have the proxy set X-Forwarded-Proto to the scheme of the browser, in place of what the browser sent.',
      );
}

function asked({ host, origin }: Seen): Finding {
  const set = new URL(origin).host;
  return host === set
    ? ok('host', 'The name that was asked for arrives as it is (Host), and is that of LMS_ADMIN_URL.')
    : fail(
        'host',
        `The name that arrives (Host) is ${host}, and LMS_ADMIN_URL has ${set}.`,
        'Have the proxy pass Host on as it is, and open LMS Admin at LMS_ADMIN_URL.',
      );
}
