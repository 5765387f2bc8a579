import type { SisImport } from '@lms-admin/contract/imports';
import { IMPORT_POLL_MS } from '@lms-admin/domain/constants';
import { useQuery } from '@tanstack/react-query';
import { getJob } from '../../api/jobs.ts';
import { CancelButton } from '../Job/CancelButton.tsx';

/** Cancels an import that has not reached the LMS; afterwards there is no way back. Its job has the same id. */
export function CancelImport({ of }: { of: SisImport }) {
  const job = useQuery({
    queryKey: ['jobs', 'of-import', of.id],
    queryFn: ({ signal }) => getJob(of.id, signal),
    refetchInterval: IMPORT_POLL_MS,
    retry: false,
  });
  return job.data === undefined ? null : <CancelButton job={job.data} onAsked={() => void job.refetch()} />;
}
