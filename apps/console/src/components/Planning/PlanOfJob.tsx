import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { JobDetail } from '@lms-admin/contract/jobs';
import { COURSE_PLAN, GROUP_PLAN, MEMBER_PLAN, SECTION_PLAN } from '@lms-admin/contract/plan-kinds';
import { TOOLS } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { z } from 'zod';
import { getJson } from '../../api/client.ts';
import { ACTIVITY_PATH } from '../Job/activity-path.ts';
import { texts } from './texts.ts';

/** Endpoint for reading a plan of each kind. */
const READ: Readonly<Record<string, string>> = {
  [COURSE_PLAN]: ENDPOINTS.plan,
  [SECTION_PLAN]: ENDPOINTS.sectionPlan,
  [GROUP_PLAN]: ENDPOINTS.groupPlan,
  [MEMBER_PLAN]: ENDPOINTS.memberPlan,
};
const result = z.object({ plan: z.uuid() });
const submitted = z.object({ import_id: z.uuid().nullable() });

/** A link from the administrator's own review in Activity: back to the review, or to the import created from it. */
export default function PlanOfJob({ job }: { job: JobDetail }) {
  const read = READ[job.kind];
  const parsed = result.safeParse(job.result);
  return read === undefined || !parsed.success ? null : (
    <Plan path={read.replace(':plan', encodeURIComponent(parsed.data.plan))} tool={job.tool} />
  );
}

function Plan({ path, tool }: { path: string; tool: string }) {
  const plan = useQuery({
    queryKey: ['jobs', 'plan', path],
    queryFn: ({ signal }) => getJson(path, submitted, { signal }),
  });
  const wizard = TOOLS.find(({ id }) => id === tool)?.path ?? null;
  // A plan that has been deleted has nothing to link to.
  if (plan.data === undefined) return null;
  const { import_id } = plan.data;
  return (
    <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
      <Typography>{import_id === null ? `${texts.ready} ${texts.keeps}` : texts.sent}</Typography>
      {import_id !== null ? (
        <Button component={Link} to={`${ACTIVITY_PATH}/${import_id}`} variant="outlined" color="inherit">
          {texts.showImport}
        </Button>
      ) : (
        wizard !== null && (
          <Button component={Link} to={wizard} variant="outlined" color="inherit">
            {texts.goOn}
          </Button>
        )
      )}
    </Box>
  );
}
