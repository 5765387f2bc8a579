import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { systemWork } from '@lms-admin/contract/system';
import Typography from '@mui/material/Typography';
import { HeldNotice } from './HeldNotice.tsx';
import { Part, QueryPart } from './Part.tsx';
import { texts } from './texts.ts';
import { usePart } from './useSystem.ts';
import { FailedJobs, OpenJobs, SignIns, Waits } from './WorkTables.tsx';

/** Running, waiting and failed jobs. */
export function WorkPart({ onAnnounce }: { onAnnounce: (words: string) => void }) {
  const query = usePart(ENDPOINTS.systemWork, systemWork, { live: true });
  return (
    <Part title={texts.work}>
      <QueryPart title={texts.work} query={query} lines={4}>
        {(work) => (
          <>
            {work.held !== null && (
              <HeldNotice
                held={work.held}
                onReleased={(words) => {
                  onAnnounce(words);
                  void query.refetch();
                }}
              />
            )}
            <Typography>{texts.migrations(work.migrations.applied, work.migrations.known)}</Typography>
            <OpenJobs rows={work.open} />
            <SignIns rows={work.signIns} />
            <Waits rows={work.waits} />
            <FailedJobs rows={work.failed} />
          </>
        )}
      </QueryPart>
    </Part>
  );
}
