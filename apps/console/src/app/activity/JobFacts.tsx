import type { Job } from '@lms-admin/contract/jobs';
import { hasFlag } from '@lms-admin/domain/access';
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { Facts } from '../../components/Facts.tsx';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { JobState } from '../../components/Job/JobState.tsx';
import { duration, momentFormat } from '../../components/moments.ts';
import { texts } from './texts.ts';
import { knownTool, nameOfTool } from './tool-names.ts';

/** Who started the job, where and when, and its state. */
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
    ...aboutFacts(job),
    ...undoFacts(job),
    [texts.startedBy, whoOf(job)],
    [texts.started, moment(job.created_at)],
    ...(job.ended_at === null
      ? []
      : [[texts.ended, endOf(job, job.ended_at, moment)] as [string, ReactNode]]),
  ];
  return <Facts label={texts.facts} facts={facts} />;
}

function aboutFacts({ about }: Job): [string, ReactNode][] {
  if (about === null) return [];
  const { courses, more, sis_ids: sisIds, terms, programmes } = about;
  const named = courses.map((name, at) => (sisIds[at] ? `${name} (${sisIds[at]})` : name));
  return [
    [texts.courses, texts.courseNames(named, more)],
    ...(terms.length > 0 ? [[texts.terms(terms.length), terms.join(', ')] as [string, ReactNode]] : []),
    ...(programmes.length > 0
      ? [[texts.programmes(programmes.length), programmes.join(', ')] as [string, ReactNode]]
      : []),
  ];
}

/** Links an import to its undo, and the undo to its import. */
function undoFacts(job: Job): [string, ReactNode][] {
  const { undone_by: by } = job;
  const link = (id: string, words: string) => (
    <Link key={id} component={RouterLink} to={`${ACTIVITY_PATH}/${id}`}>
      {words}
    </Link>
  );
  return [
    ...(job.undoes === null
      ? []
      : [[texts.undoes, link(job.undoes, texts.undoesLink)] as [string, ReactNode]]),
    ...(by === null
      ? []
      : [[texts.undoneBy, link(by.id, texts.undoneLinks[by.mark])] as [string, ReactNode]]),
  ];
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
