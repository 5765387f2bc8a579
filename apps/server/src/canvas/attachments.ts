/** Files that the LMS links to, read by the server: the address works without sign-in, so it is never passed on. */
import type { Readable } from 'node:stream';
import { createOutbound } from '../outbound/outbound.ts';
import type { Outbound } from '../outbound/types.ts';
import { AppError } from '../platform/errors.ts';
import { THE_LMS } from '../platform/outside.ts';
import { CanvasError } from './types.ts';

export interface AttachmentOptions {
  /** Origin of the LMS. */
  url: string;
  /** Other hosts that store files of the LMS (`LMS_FILE_HOSTS`). */
  fileHosts: readonly string[];
  /** Milliseconds allowed until an answer begins, and for a pause within it. */
  timeoutMs: number;
}

export interface Attachments {
  /** Returns whether a file can be read from this address: the LMS or a host that stores its files (OP-40). */
  mayRead(url: string): boolean;
  /**
   * Returns the bytes as they arrive. No token is sent, because the address itself grants access.
   * @throws AppError not-found if the link has expired or leads elsewhere; CanvasError; the reason of `signal`
   */
  read(url: string, signal?: AbortSignal): Promise<Readable>;
  /** Ends all connections. */
  close(): Promise<void>;
}

const MAX_BYTES = 268_435_456;
/** Canvas redirects to its file service, which may redirect to a store. */
const MOST_REDIRECTS = 4;
/** The file service of hosted Canvas. */
const FILE_SERVICE = /\.inscloudgate\.net$/;

/** Opens no connection before the first file. */
export function createAttachments({ url: lms, fileHosts, timeoutMs }: AttachmentOptions): Attachments {
  const home = new URL(lms);
  const open = new Map<string, Outbound>();

  function mayRead(url: string): boolean {
    if (!URL.canParse(url)) return false;
    const address = new URL(url);
    if (address.username !== '' || address.password !== '') return false;
    if (address.origin === home.origin) return true;
    if (address.protocol !== 'https:') return false;
    const { hostname } = address;
    return hostname === home.hostname || fileHosts.includes(hostname) || FILE_SERVICE.test(hostname);
  }

  function wayTo(origin: string): Outbound {
    const known = open.get(origin);
    if (known) return known;
    const outbound = createOutbound({
      system: THE_LMS,
      origin,
      firstByteMs: timeoutMs,
      pauseMs: timeoutMs,
      maxBytes: MAX_BYTES,
      failure: (kind, failure) => new CanvasError(kind, failure),
    });
    open.set(origin, outbound);
    return outbound;
  }

  return {
    mayRead,
    async read(first, signal) {
      let url = first;
      for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
        if (!mayRead(url)) throw elsewhere(url);
        const { origin, pathname, search } = new URL(url);
        const { answer, body } = await wayTo(origin).stream({
          method: 'GET',
          path: pathname + search,
          ...(signal ? { signal } : {}),
        });
        if (body) return body;
        const location = answer.header('location');
        if (answer.status < 300 || answer.status > 399 || location === undefined) throw ended(answer.status);
        url = new URL(location, url).href;
      }
      throw ended(310);
    },
    async close() {
      await Promise.all([...open.values()].map((one) => one.close()));
    },
  };
}

function elsewhere(url: string): AppError {
  const host = URL.canParse(url) ? new URL(url).hostname : 'an unknown host';
  return new AppError('not-found', {
    message: `The LMS keeps this file on ${host}. LMS Admin does not read files from there.`,
    next: 'Ask IT Support to add this host to LMS_FILE_HOSTS.',
  });
}

function ended(status: number): Error {
  if (status >= 500) return new CanvasError('down', { status, sent: 'answered', detail: `status ${status}` });
  return new AppError('not-found', {
    message: 'The LMS no longer provides this file.',
    next: 'LMS Admin keeps the messages of the import for 30 days.',
  });
}
