import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { IMPORT, type Job, job } from '@lms-admin/contract/jobs';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { z } from 'zod';
import { getJson } from '../../api/client.ts';
import { useJobSummary } from '../../api/jobs.ts';
import { useProfile } from '../../api/session.ts';
import { clockFormat } from '../moments.ts';
import { Notice } from '../Notice/Notice.tsx';
import { ACTIVITY_PATH } from './activity-path.ts';
import { endedBadly, importWords } from './job-words.ts';
import { texts } from './texts.ts';

const jobs = z.array(job);
/** Milliseconds between two polls. */
const EVERY_MS = 5_000;

/**
 * State of a tool's import for an administrator who returns while it is running, and its result until that has been
 * seen. Another tab may have sent the import. Renders nothing without an import.
 */
export function RunningImport({ tool }: { tool: string }) {
  const goesOn = (useJobSummary()?.running ?? 0) > 0;
  const found = useQuery({
    queryKey: ['jobs', 'own-imports', tool],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.jobs, jobs, {
        query: [
          ['kind', IMPORT],
          ['tool', tool],
          ['state', 'to-be-seen'],
        ],
        signal,
      }),
    refetchInterval: goesOn && EVERY_MS,
    retry: false,
  });
  const [newest, ...others] = found.data ?? [];
  if (newest === undefined) return null;
  return <Found one={newest} others={others.length} tool={tool} now={found.dataUpdatedAt} />;
}

interface FoundProps {
  one: Job;
  /** How many other imports there are. */
  others: number;
  tool: string;
  /** Current time, in milliseconds since 1970. */
  now: number;
}

function Found({ one, others, tool, now }: FoundProps) {
  const { time_zone } = useProfile().userProfile;
  const at = clockFormat(time_zone, now)(one.created_at);
  return (
    <Notice
      tone={endedBadly(one) ? 'warning' : 'info'}
      title={importWords(one, at)}
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
          <MuiLink component={Link} to={`${ACTIVITY_PATH}?tool=${tool}`}>
            {texts.showAll}
          </MuiLink>
        </Box>
      )}
    </Notice>
  );
}
