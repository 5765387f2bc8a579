/** The audit: who did what, kept in the database and as a line of the log. Never CSV content, never tokens. */
import type { Logger } from 'pino';
import type { Db } from './database.ts';
import { audit } from './schema.ts';
import { storable } from './text.ts';

export interface AuditLine {
  /** Login of the admin; empty if not signed in. */
  login: string;
  /** Tool id, or a part of the server such as `auth` or `lms`. */
  tool: string;
  event: string;
  detail: Record<string, unknown>;
  requestId?: string | null;
}

export interface Audit {
  /** Writes a line. @throws like any database write: an action must not happen without its audit line */
  write(line: AuditLine): Promise<void>;
  /** Writes several lines, in the transaction of the actions themselves. */
  writeAll(tx: Db, lines: readonly AuditLine[]): Promise<void>;
}

/** Longest stored name (login, tool, event) and longest text within a detail, in characters. */
const MAX_NAME = 320;
const MAX_TEXT = 2_000;
/** Maximum number of entries of a list or object within a detail, and its deepest nesting. */
const MAX_ENTRIES = 100;
const MAX_DEPTH = 4;

/** Creates the audit of this installation. */
export function createAudit(db: Db, log: Logger): Audit {
  async function writeAll(tx: Db, lines: readonly AuditLine[]): Promise<void> {
    if (lines.length === 0) return;
    const clean = lines.map(cleanLine);
    for (const one of clean) log.info({ audit: true, ...one }, one.event);
    await tx.insert(audit).values(clean);
  }
  return { write: (line) => writeAll(db, [line]), writeAll };
}

function cleanLine({ login, tool, event, detail, requestId }: AuditLine) {
  return {
    login: oneLine(login, MAX_NAME),
    tool: oneLine(tool, MAX_NAME),
    event: oneLine(event, MAX_NAME),
    detail: cleanDetail(detail),
    requestId: requestId ? oneLine(requestId, MAX_NAME) : null,
  };
}

/** Makes text safe for log and database: no control characters or line breaks, and cut if very long. */
export function oneLine(text: string, max = MAX_TEXT): string {
  const flat = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  // Done after the cut, which may split a character.
  return storable(flat.length > max ? `${flat.slice(0, max - 1)}…` : flat);
}

function cleanDetail(detail: Record<string, unknown>): Record<string, unknown> {
  return cleanValue(detail, 0) as Record<string, unknown>;
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return oneLine(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ENTRIES).map((one: unknown) => cleanValue(one, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ENTRIES)
      .map(([key, one]) => [oneLine(key, MAX_NAME), cleanValue(one, depth + 1)]),
  );
}
