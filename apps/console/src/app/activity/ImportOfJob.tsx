import type { SisImport } from '@lms-admin/contract/imports';
import type { JobDetail } from '@lms-admin/contract/jobs';
import type { ImportScreen } from '@lms-admin/domain/import-states';
import { ImportView } from '../../components/ImportProgress/ImportView.tsx';
import { seenImport, startImport } from '../../components/ImportProgress/import-watch.ts';
import { CancelButton } from '../../components/Job/CancelButton.tsx';
import type { Watch } from '../../components/Job/watch.ts';

/** The wizard whose texts an import has (OP-38); any other tool has those of the enrolments. */
const SCREEN_OF: Readonly<Record<string, ImportScreen>> = {
  'sis-import': 'sis-import',
  'create-users': 'create-users',
  'group-enrollment': 'group',
};

interface ImportOfJobProps {
  job: JobDetail;
  one: SisImport;
  watch: Pick<Watch<unknown>, 'failures' | 'gaveUp'>;
  onAgain: () => void;
}

/** An import as its wizard shows it, with its progress or its receipt. */
export function ImportOfJob({ job, one, watch, onAgain }: ImportOfJobProps) {
  return (
    <ImportView
      shown={seenImport(startImport(SCREEN_OF[job.tool] ?? 'enrollment'), one)}
      watch={watch}
      onAgain={onAgain}
      cancel={<CancelButton job={job} onAsked={onAgain} />}
    />
  );
}
