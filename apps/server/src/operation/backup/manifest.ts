/** What a backup says of itself. */

import { z } from 'zod';
import { newestKnown } from '../../platform/migrations.ts';
import { RELEASE } from '../../platform/release.ts';
import { Refusal } from '../refusal.ts';

/** Grows when older backups can no longer be read. */
const FORMAT = 1;

/** Names within the zip. */
export const MANIFEST = 'manifest.json';
export const DATABASE = 'database.jsonl';
export const CAMPUS = 'campus/';

const manifest = z.object({
  format: z.literal(FORMAT),
  /** Of LMS Admin. */
  version: z.string(),
  /** The newest migration of its database. */
  schema: z.number(),
  madeAt: z.iso.datetime(),
  database: z.object({ kind: z.enum(['pglite', 'postgres']), rows: z.record(z.string(), z.number()) }),
  /** What the database belongs to. */
  mode: z.enum(['practice', 'production']),
  lms: z.string(),
  /** Files of the practice LMS. */
  campus: z.number(),
  /** Which key seals the tokens in it. */
  keyId: z.string(),
  /** The key itself, encrypted under a passphrase; null: it is not in the backup. */
  key: z.object({ salt: z.string(), sealed: z.string() }).nullable(),
});
export type Manifest = z.infer<typeof manifest>;

export function newManifest(parts: Omit<Manifest, 'format' | 'version' | 'schema'>): Manifest {
  return { format: FORMAT, version: RELEASE, schema: newestKnown(), ...parts };
}

/** @throws Refusal for what is no backup, or one of another version */
export function readManifest(text: string): Manifest {
  const shape = z.object({ version: z.string(), schema: z.number() });
  const said = shape.safeParse(parsed(text));
  if (said.success && (said.data.version !== RELEASE || said.data.schema !== newestKnown())) {
    throw new Refusal(
      `The backup was made by LMS Admin ${said.data.version}, and this is ${RELEASE}. Nothing was changed.`,
      `Restore it with version ${said.data.version}, then start this version on it, which updates the database.`,
    );
  }
  const read = manifest.safeParse(parsed(text));
  if (!read.success) throw notABackup();
  return read.data;
}

export const notABackup = (cause?: unknown) =>
  new Refusal(
    'The file is not a whole backup of LMS Admin. Nothing was changed.',
    'Use another backup, or copy this one again from where it is kept.',
    { cause },
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
