import type { SisImport } from '@lms-admin/contract/imports';
import type { JobDetail } from '@lms-admin/contract/jobs';
import { toolById, toolsCalling } from '@lms-admin/contract/tools';
import { hasFlag } from '@lms-admin/domain/access';
import type { ImportScreen } from '@lms-admin/domain/import-states';
import { Suspense } from 'react';
import { useLocation } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { ImportView } from '../../components/ImportProgress/ImportView.tsx';
import { seenImport, startImport } from '../../components/ImportProgress/import-watch.ts';
import { UNDO_HASH } from '../../components/Job/activity-path.ts';
import { CancelButton } from '../../components/Job/CancelButton.tsx';
import type { Watch } from '../../components/Job/watch.ts';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { UndoImport } from '../../components/Undo/UndoImport.tsx';
import { IMPORT_RESULTS } from '../../tools/index.ts';

/** The wizard whose texts an import uses (OP-38); any other tool uses those for enrolments. */
const SCREEN_OF: Readonly<Record<string, ImportScreen>> = {
  'sis-import': 'sis-import',
  'create-users': 'create-users',
  'group-enrollment': 'group',
};

const WATCHING = toolsCalling('sis-import-status');

interface ImportOfJobProps {
  job: JobDetail;
  one: SisImport;
  watch: Pick<Watch<unknown>, 'failures' | 'gaveUp'>;
  onRetry: () => void;
}

/** An import as its wizard shows it, with its progress or its result. */
export function ImportOfJob({ job, one, watch, onRetry }: ImportOfJobProps) {
  const { sub_account } = useProfile();
  const { hash } = useLocation();
  const Result = IMPORT_RESULTS[job.tool];
  return (
    <>
      <ImportView
        shown={seenImport(startImport(SCREEN_OF[job.tool] ?? 'enrollment'), one)}
        watch={watch}
        // Messages name people: only administrators with a tool that imports see them, even if they can see all work.
        rows={WATCHING.some((tool) => hasFlag(sub_account, toolById(tool).flag))}
        onRetry={onRetry}
        cancel={<CancelButton job={job} onRequested={onRetry} />}
      />
      {job.own && Result !== undefined && (
        <Suspense fallback={<Skeletons lines={2} />}>
          <Result of={one} />
        </Suspense>
      )}
      {job.own && <UndoImport of={one} begins={hash === UNDO_HASH} />}
    </>
  );
}
