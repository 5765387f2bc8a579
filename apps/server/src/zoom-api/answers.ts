/** Interprets Zoom's answers (reference §3, §5): by status and code, since the texts change. */
import type { OutboundAnswer } from '../outbound/answer.ts';
import { retryAfterMs } from '../outbound/retry-after.ts';
import type { OutsideErrorKind } from '../platform/outside.ts';
import { ZoomError } from './types.ts';
import type { ZoomReason } from './words.ts';

const DAY_MS = 86_400_000;
/** Maximum length of a text from Zoom that is kept, in characters. */
const MOST_WORDS = 300;

/** Subject of a call, for details that Zoom's answer omits. */
export interface About {
  /** The host in the path, or the new host of a meeting. */
  who?: string;
}

interface ZoomMessage {
  code: number | null;
  text: string;
}

/** Returns whether a 429 passes within seconds; a daily limit is a failure with its end time. */
export function isOfTheSecond(answer: OutboundAnswer): boolean {
  return answer.status === 429 && !isOfTheDay(answer);
}

function isOfTheDay(answer: OutboundAnswer): boolean {
  return answer.header('x-ratelimit-type') === 'Daily-limit' || /\bdaily\b/i.test(messageOf(answer).text);
}

/** Converts an answer outside 2xx to an error. */
export function failureOf(answer: OutboundAnswer, about: About, now: number): ZoomError {
  const { status } = answer;
  const { code, text } = messageOf(answer);
  const detail = text === '' ? `status ${status}` : text;
  const named = { code, who: about.who ?? null };
  // Only the text distinguishes it from the account's limit, and the answer does not contain its end (§5).
  const ofHost = /particular user/i.test(text);
  // An older Zoom reports the limit of a host with 300.
  if (status === 429 || (status === 300 && ofHost)) {
    const midnight = Math.floor(now / DAY_MS + 1) * DAY_MS;
    const waitMs = ofHost ? null : retryAfterMs(answer, now);
    const retryAt = new Date(waitMs === null ? midnight : now + waitMs);
    const failure = { status, sent: 'no', detail, retryAt } as const;
    return new ZoomError('throttled', failure, { ...named, reason: ofHost ? 'host-day' : null });
  }
  // It is unknown whether anything was done.
  if (status >= 500) return new ZoomError('down', { status, sent: 'maybe', detail }, named);
  const [kind, reason] = refusalOf(status, code, text);
  const who = reason === 'co-host' ? (/"([^"]+)"/.exec(text)?.[1] ?? null) : named.who;
  return new ZoomError(kind, { status, sent: 'answered', detail }, { code, who, reason });
}

function refusalOf(status: number, code: number | null, text: string): [OutsideErrorKind, ZoomReason | null] {
  switch (code) {
    case 124:
      return ['token-refused', null];
    case 200:
    case 4700:
    case 4711:
      return ['refused', null];
    case 1001:
    case 1010:
    case 1120:
      return ['not-found', 'host-gone'];
    case 1114:
      return ['rejected', 'co-host'];
    case 3000:
      return ['rejected', ofMany(text)];
    case 3001:
      return ['not-found', 'meeting-gone'];
    case 3002:
      return ['rejected', 'running'];
    case 3003:
      return ['rejected', 'may-not-schedule'];
    case 3161:
      return ['rejected', 'may-not-host'];
  }
  if (status === 401) return ['token-refused', null];
  if (status === 403) return ['refused', null];
  if (status === 404) return ['not-found', null];
  return [status >= 400 ? 'rejected' : 'odd', null];
}

/** Finds the reason behind the code that has many meanings. */
function ofMany(text: string): ZoomReason | null {
  if (/webinar/i.test(text)) return 'webinar';
  if (/schedule/i.test(text)) return 'may-not-schedule';
  return /started|progress/i.test(text) ? 'running' : null;
}

/** Reads Zoom's number and text, including those from its token endpoint; never an address, which may contain a key. */
function messageOf(answer: OutboundAnswer): ZoomMessage {
  let body: Record<string, unknown> = {};
  try {
    const read: unknown = JSON.parse(answer.text);
    if (typeof read === 'object' && read !== null) body = read as Record<string, unknown>;
  } catch {
    // A proxy's page, or nothing: the status says enough.
  }
  const { code, message, reason, errors } = body;
  const words = [message ?? reason, ...fieldsOf(errors)].filter((one) => typeof one === 'string');
  return {
    code: typeof code === 'number' ? code : null,
    text: words
      .join(' ')
      .replaceAll(/[a-z]+:\/\/\S+/gi, '…')
      .slice(0, MOST_WORDS),
  };
}

function fieldsOf(errors: unknown): string[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'field' in one ? [`(${String(one.field)})`] : [],
  );
}
