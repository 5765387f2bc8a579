import type { ImportKind } from '../csv/detect.ts';
import { enrollmentImporter } from './enrollments.ts';
import { userImporter } from './users.ts';
import type { Importer } from './work.ts';

/** Who applies which kind of file. */
export const IMPORTERS: Record<ImportKind, Importer> = {
  user: userImporter,
  enrollment: enrollmentImporter,
} as never;
