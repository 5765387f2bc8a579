/** Facts that only the browser knows: the address at which the page was opened, and how far its clock differs. Pure. */
import type { Finding, SystemOverview } from '@lms-admin/contract/system';
import { texts } from './texts.ts';

/** Compares the address of the page with the configured one. */
export function addressFindings(opened: string, { seen }: Pick<SystemOverview, 'seen'>): Finding[] {
  const own = new URL(opened);
  const set = new URL(seen.origin);
  const isSecure = own.protocol === 'https:';
  return [
    own.host === set.host
      ? finding(texts.address, 'ok', texts.sameAddress(own.host))
      : finding(texts.address, 'warn', texts.otherAddress(own.host, set.host), texts.otherAddressNext),
    own.protocol === set.protocol
      ? finding(texts.https, isSecure ? 'ok' : 'skip', isSecure ? texts.secure : texts.plain)
      : finding(texts.https, 'fail', texts.otherScheme(own.protocol, set.protocol), texts.otherSchemeNext),
  ];
}

export interface Clocks {
  /** Milliseconds since 1970, at the same moment. */
  browser: number;
  server: number;
  database: number;
}

/** Returns the three clocks at the same moment, assuming that the server answered halfway through the request. */
export function clocksAt(
  sentAt: number,
  got: number,
  serverClocks: { server: number; database: number },
): Clocks {
  return { browser: (sentAt + got) / 2, ...serverClocks };
}

/** The clock of an administrator's computer is never exact, so only a difference of minutes matters. */
const BROWSER_MS = 60_000;
const DATABASE_MS = 2_000;

export function clockFindings({ browser, server, database }: Clocks): Finding[] {
  const one = (name: string, offset: number, most: number, next: string) => {
    const message = texts.apart(name, offset);
    return Math.abs(offset) > most
      ? finding(texts.clock, 'warn', message, next)
      : finding(texts.clock, 'ok', message);
  };
  return [
    one(texts.browser, browser - server, BROWSER_MS, texts.browserClockNext),
    one(texts.database, database - server, DATABASE_MS, texts.databaseClockNext),
  ];
}

/** Writes the line that the browser adds to the support text, without addresses or names. */
export function supportLine(opened: string, overview: SystemOverview, clocks: Clocks | null): string {
  const sound = addressFindings(opened, overview).every(({ state }) => state === 'ok' || state === 'skip');
  return texts.supportLine(sound, clocks && (clocks.browser - clocks.server) / 1_000);
}

const finding = (check: string, state: Finding['state'], message: string, next = ''): Finding => ({
  check,
  state,
  message,
  next,
});
