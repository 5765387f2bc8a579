/** Files that the LMS links to: read here, so that an address which opens without sign-in never leaves the server. */
import type { Readable } from 'node:stream';
import { createOutbound } from '../outbound/outbound.ts';
import type { Outbound } from '../outbound/types.ts';
import { AppError } from '../platform/errors.ts';
import { THE_LMS } from '../platform/outside.ts';
import { CanvasError } from './types.ts';

export interface AttachmentOptions {
  /** Origin of the LMS. */
  url: string;
  /** Further hosts that keep files of the LMS (`LMS_FILE_HOSTS`). */
  fileHosts: readonly string[];
  /** Milliseconds that a host may take to begin its answer, and to pause within it. */
  timeoutMs: number;
}

export interface Attachments {
  /** Whether a file at this address may be read: the LMS itself, or a host that keeps its files (OP-40). */
  mayRead(url: string): boolean;
  /**
   * The bytes as they come. No token is sent: the address itself opens the file.
   * @throws AppError not-found when the link has ended or leads elsewhere; CanvasError; the reason of `signal`
   */
  read(url: string, signal?: AbortSignal): Promise<Readable>;
  /** Ends all connections. */
  close(): Promise<void>;
}

const MAX_BYTES = 268_435_456;
/** Canvas answers with the address of its file service, which may answer with that of a store. */
const MOST_REDIRECTS = 4;
/** The file service of hosted Canvas. */
const FILE_SERVICE = /\.inscloudgate\.net$/;

/** Nothing is sent before the first file. */
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
    const made = createOutbound({
      system: THE_LMS,
      origin,
      firstByteMs: timeoutMs,
      pauseMs: timeoutMs,
      maxBytes: MAX_BYTES,
      failure: (kind, failure) => new CanvasError(kind, failure),
    });
    open.set(origin, made);
    return made;
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
    message: `The LMS keeps this file on ${host}, where LMS Admin does not read files.`,
    next: 'Ask IT Support to add this host to LMS_FILE_HOSTS.',
  });
}

function ended(status: number): Error {
  if (status >= 500) return new CanvasError('down', { status, sent: 'answered', detail: `status ${status}` });
  return new AppError('not-found', {
    message: 'The LMS no longer provides this file.',
    next: 'The messages of the import are kept here for 30 days.',
  });
}
