import type { SisImport } from '@lms-admin/contract/imports';
import type { ImportScreen } from '@lms-admin/domain/import-states';
import { useMemo } from 'react';
import { invoke } from '../../api/client.ts';
import { useWatch, type Watchable, type Watching } from '../Job/useWatch.ts';
import { type ImportShown, importRules } from './import-watch.ts';

async function readImport(id: string, signal: AbortSignal): Promise<SisImport> {
  return (await invoke('sis-import-status', { import: id }, [], { signal })).data;
}

/**
 * Follows an import by its documented call (IMP-20) while its view is open: a poll every 2 seconds until it has ended.
 * @param id null until the server has the import
 */
export function useImportWatch(screen: ImportScreen, id: string | null): Watching<ImportShown> {
  const work = useMemo<Watchable<ImportShown, SisImport>>(
    () => ({ ...importRules(screen), read: readImport }),
    [screen],
  );
  return useWatch(work, id);
}
