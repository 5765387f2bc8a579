/** How a request arrived: the headers of the proxy, and whether they are right. */
import type { SystemOverview } from '@lms-admin/contract/system';
import type { FastifyRequest } from 'fastify';
import { NO_ADDRESS } from '../../platform/health.ts';
import { addressesOf } from '../../platform/networks.ts';
import { type Finding, fail, ok, skip, warn } from '../doctor/check.ts';

export type Seen = SystemOverview['seen'];

/** Headers that proxies add. */
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

/** @param trusted proxies to trust, besides this machine */
export function proxyFindings(seen: Seen, trusted: readonly string[]): Finding[] {
  const headerValues = new Map(seen.headers.map(({ name, value }) => [name, value]));
  const isBelieved = addressesOf(trusted)(plain(seen.peer));
  const secure = seen.origin.startsWith('https:');
  return [
    whoAsks(headerValues.get('x-forwarded-for'), isBelieved, secure),
    https(seen, secure),
    hostFinding(seen),
  ];
}

/** Returns an IPv4 address in its usual form. */
const plain = (address: string) => address.replace(/^::ffff:/, '');

function whoAsks(forwardedFor: string | undefined, isBelieved: boolean, secure: boolean): Finding {
  if (forwardedFor === undefined) {
    return secure
      ? warn(
          NAME,
          NO_ADDRESS,
          'Configure the proxy to set X-Forwarded-For. See the sample files in docs/operating/proxies.md.',
        )
      : skip(NAME, 'No proxy passes on the address of the browser (X-Forwarded-For).');
  }
  return isBelieved
    ? ok(NAME, 'The proxy passes on the address of the browser (X-Forwarded-For), and LMS Admin uses it.')
    : warn(
        NAME,
        'LMS Admin ignores X-Forwarded-For, because it does not come from a proxy in TRUSTED_PROXIES.',
        'If this is your proxy, add its address to TRUSTED_PROXIES, and restart.',
      );
}

function https({ protocol }: Seen, secure: boolean): Finding {
  if (!secure) return skip('https', 'LMS_ADMIN_URL does not use https. Use this on a single machine only.');
  return protocol === 'https'
    ? ok('https', 'The proxy says that the browser uses https (X-Forwarded-Proto).')
    : warn(
        'https',
        'The proxy does not say that the browser uses https (X-Forwarded-Proto).',
        'Configure the proxy to set X-Forwarded-Proto to the protocol that the browser uses, whatever the request contains.',
      );
}

function hostFinding({ host, origin }: Seen): Finding {
  const set = new URL(origin).host;
  return host === set
    ? ok('host', 'The proxy passes on the requested name (Host), and it matches LMS_ADMIN_URL.')
    : fail(
        'host',
        `The requested name (Host) is ${host}, but LMS_ADMIN_URL has ${set}.`,
        'Configure the proxy to leave Host unchanged, and open LMS Admin at LMS_ADMIN_URL.',
      );
}
