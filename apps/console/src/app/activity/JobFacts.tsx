import type { Job } from '@lms-admin/contract/jobs';
import { hasFlag } from '@lms-admin/domain/access';
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { Facts } from '../../components/Facts.tsx';
import { JobState } from '../../components/Job/JobState.tsx';
import { duration, momentFormat } from '../../components/moments.ts';
import { texts } from './texts.ts';
import { knownTool, nameOfTool } from './tool-names.ts';

/** Who started it, where and when, and how it stands. */
export function JobFacts({ job }: { job: Job }) {
  const { userProfile, sub_account } = useProfile();
  const moment = momentFormat(userProfile.time_zone);
  const tool = knownTool(job.tool);
  const name = nameOfTool(job.tool);
  const facts: [string, ReactNode][] = [
    [texts.columns.state, <JobState key="state" job={job} />],
    [
      texts.columns.tool,
      tool !== null && tool.path !== null && hasFlag(sub_account, tool.flag) ? (
        <Link key="tool" component={RouterLink} to={tool.path}>
          {name}
        </Link>
      ) : (
        name
      ),
    ],
    [texts.startedBy, whoOf(job)],
    [texts.started, moment(job.created_at)],
    ...(job.ended_at === null
      ? []
      : [[texts.ended, endOf(job, job.ended_at, moment)] as [string, ReactNode]]),
  ];
  return <Facts label={texts.facts} facts={facts} />;
}

function whoOf({ admin, own }: Job): string {
  const { name, login } = admin;
  const who = name === '' ? login : name;
  return own ? `${who} (${texts.you})` : name === '' || login === '' ? who : `${name}, ${login}`;
}

function endOf({ created_at, started_at }: Job, ended: string, moment: (iso: string) => string): string {
  const took = Date.parse(ended) - Date.parse(started_at ?? created_at);
  return `${moment(ended)}, ${texts.took(duration(took))}`;
}
