import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type Job, job } from '@lms-admin/contract/jobs';
import { toolAt } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { z } from 'zod';
import { getJson } from '../../api/client.ts';
import { useJobSummary } from '../../api/jobs.ts';
import { useProfile } from '../../api/session.ts';
import { clockFormat } from '../moments.ts';
import { Notice } from '../Notice/Notice.tsx';
import { ACTIVITY_PATH } from './activity-path.ts';
import { howFar } from './job-words.ts';
import { texts } from './texts.ts';

const jobs = z.array(job);
/** Milliseconds between two polls. */
const EVERY_MS = 5_000;

/** Where an import of this tool is, for whoever comes back while it runs; nothing while none does. */
export function RunningImport() {
  const tool = toolAt(useLocation().pathname)?.id ?? '';
  const anything = (useJobSummary()?.running ?? 0) > 0;
  const running = useQuery({
    queryKey: ['jobs', 'running', tool],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.jobs, jobs, {
        query: [
          ['kind', 'import'],
          ['tool', tool],
          ['state', 'open'],
        ],
        signal,
      }),
    enabled: anything,
    refetchInterval: EVERY_MS,
    retry: false,
  });
  const [newest, ...others] = anything ? (running.data ?? []) : [];
  if (newest === undefined) return null;
  return <Found one={newest} others={others.length} tool={tool} now={running.dataUpdatedAt} />;
}

interface FoundProps {
  one: Job;
  /** How many more there are. */
  others: number;
  tool: string;
  /** Milliseconds since 1970 at which it was looked at. */
  now: number;
}

function Found({ one, others, tool, now }: FoundProps) {
  const { time_zone } = useProfile().userProfile;
  const at = clockFormat(time_zone, now)(one.created_at);
  return (
    <Notice
      tone="info"
      title={texts.runningImport(at, howFar(one))}
      action={
        <Button
          component={Link}
          to={`${ACTIVITY_PATH}/${one.id}`}
          size="small"
          variant="outlined"
          color="inherit"
        >
          {texts.showImport}
        </Button>
      }
    >
      <Box sx={{ overflowWrap: 'anywhere' }}>{one.label}</Box>
      {others > 0 && (
        <Box>
          {texts.otherImports(others)}{' '}
          <MuiLink component={Link} to={`${ACTIVITY_PATH}?tool=${tool}&state=open`}>
            {texts.showAll}
          </MuiLink>
        </Box>
      )}
    </Notice>
  );
}
