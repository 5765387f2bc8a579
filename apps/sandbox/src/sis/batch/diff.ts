import type { CsvFile } from '../csv/files.ts';
import type { Work } from '../importers/work.ts';
import type { Pace } from './pace.ts';

export async function diffFiles(files: CsvFile[], _work: Work, _pace: Pace): Promise<CsvFile[]> {
  return files;
}
