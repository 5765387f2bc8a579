/** Description of a backup, stored inside it. */

import { z } from 'zod';
import { newestKnown } from '../../platform/migrations.ts';
import { RELEASE } from '../../platform/release.ts';
import { Refusal } from '../refusal.ts';

/** Increases when older backups can no longer be read. */
const FORMAT = 1;

/** Names within the zip. */
export const MANIFEST = 'manifest.json';
export const DATABASE = 'database.jsonl';
export const CAMPUS = 'campus/';

const manifest = z.object({
  format: z.literal(FORMAT),
  /** Version of LMS Admin. */
  version: z.string(),
  /** Newest migration of the database. */
  schema: z.number(),
  madeAt: z.iso.datetime(),
  database: z.object({ kind: z.enum(['pglite', 'postgres']), rows: z.record(z.string(), z.number()) }),
  /** Mode of the installation that the database belongs to. */
  mode: z.enum(['practice', 'production']),
  lms: z.string(),
  /** Number of files of the practice LMS. */
  campus: z.number(),
  /** The key that encrypts the tokens in the backup. */
  keyId: z.string(),
  /** The key itself, encrypted under a passphrase; null if the backup does not contain it. */
  key: z.object({ salt: z.string(), sealed: z.string() }).nullable(),
});
export type Manifest = z.infer<typeof manifest>;

export function newManifest(parts: Omit<Manifest, 'format' | 'version' | 'schema'>): Manifest {
  return { format: FORMAT, version: RELEASE, schema: newestKnown(), ...parts };
}

/** @throws Refusal for a file that is not a backup, or one of another version */
export function readManifest(text: string): Manifest {
  const shape = z.object({ version: z.string(), schema: z.number() });
  const checked = shape.safeParse(parsed(text));
  if (checked.success && (checked.data.version !== RELEASE || checked.data.schema !== newestKnown())) {
    throw new Refusal(
      `The backup was made by LMS Admin ${checked.data.version}, but this is version ${RELEASE}. Nothing was changed.`,
      `Restore it with version ${checked.data.version}, then start this version on it, which updates the database.`,
    );
  }
  const read = manifest.safeParse(parsed(text));
  if (!read.success) throw notABackup();
  return read.data;
}

export const notABackup = (cause?: unknown) =>
  new Refusal(
    'The file is not a complete backup of LMS Admin. Nothing was changed.',
    'Use another backup, or copy this one again from its storage place.',
    { cause },
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
