/** A job as it is sent to the browser. */
import type { Job } from '@lms-admin/contract/jobs';
import { TOOLS } from '@lms-admin/contract/tools';
import { mayUse } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { sameLms } from '../canvas/identity.ts';
import { HELD } from './hold.ts';
import { isWorkedOn, type JobRow, type ListedKind } from './kind.ts';

/** The columns of a job that the list reads: all but the large ones. */
export type ListedJob = Omit<JobRow, 'input' | 'checkpoint' | 'result'>;

/**
 * @param lms the current LMS; empty if not known
 * @param undoneBy whether the job's changes are still in effect, and its latest undo
 */
export async function toJob(
  of: ListedJob,
  kind: ListedKind | undefined,
  admin: Pick<Admin, 'login' | 'record'>,
  lms: string,
  undoneBy: Job['undone_by'] = null,
): Promise<Job> {
  const row = mayOpen(of, admin) ? of : withheld(of);
  const open = row.endedAt === null;
  return {
    id: row.id,
    kind: row.kind,
    tool: row.tool,
    label: row.label,
    about: row.about,
    undoes: row.undoes,
    undone_by: undoneBy,
    admin: { login: row.login, name: row.name },
    own: row.login === admin.login,
    changes: kind?.changes ?? true,
    state: row.state,
    outcome: row.outcome,
    stage: open ? (row.stage ?? (kind && isWorkedOn(kind) ? kind.begins : null)) : null,
    progress: row.unit === null ? null : { done: row.done, total: row.total, unit: row.unit },
    waiting:
      row.state === 'waiting'
        ? {
            // Waits for a sign-in or an operator have no end time.
            until: row.needsSignIn || row.waitWhy === HELD ? null : (row.waitUntil?.toISOString() ?? null),
            why: row.waitWhy ?? '',
          }
        : null,
    needs_sign_in: open && row.needsSignIn,
    problem: row.problem,
    note: row.note,
    figures: row.figures,
    cancel: mayOpen(row, admin) ? await cancelOf(row, kind) : 'no',
    elsewhere: sameLms(row.lms, lms) ? null : ELSEWHERE,
    forgotten: row.forgottenAt !== null,
    kept_days: keptDays(row),
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    ended_at: row.endedAt?.toISOString() ?? null,
  };
}

function keptDays({ endedAt, forgottenAt }: Pick<ListedJob, 'endedAt' | 'forgottenAt'>): number | null {
  if (endedAt === null || forgottenAt === null) return null;
  return Math.floor((forgottenAt.getTime() - endedAt.getTime()) / 86_400_000);
}

/** Message for work done in another LMS, or in the practice LMS before a reset. */
export const ELSEWHERE =
  'This was done in another LMS, or in the practice LMS before it was reset. What it changed is not in the current LMS.';

/**
 * Tells whether work can be read in full and cancelled: own work can; others' work needs its tool, because it may name
 * people.
 */
export function mayOpen(
  job: Pick<ListedJob, 'login' | 'tool'>,
  admin: Pick<Admin, 'login' | 'record'>,
): boolean {
  return job.login === admin.login || hasToolOf(job, admin);
}

function withheld(row: ListedJob): ListedJob {
  const tab = TOOLS.find(({ id }) => id === row.tool)?.tab ?? 'this tool';
  const message = `Details are shown only to people with access to ${tab}.`;
  const problem = row.problem && { message, next: 'Ask IT Support for access if you need them.' };
  return { ...row, about: null, note: problem === null ? message : null, problem };
}

/** Returns whether an admin can use the tool of a job. */
export function hasToolOf({ tool }: Pick<ListedJob, 'tool'>, admin: Pick<Admin, 'record'>): boolean {
  const known = TOOLS.find(({ id }) => id === tool);
  return known !== undefined && mayUse(admin, known.id);
}

/** Returns whether a job can be cancelled. */
export async function cancelOf(row: ListedJob, kind: ListedKind | undefined): Promise<Job['cancel']> {
  if (row.endedAt !== null || !kind || !isWorkedOn(kind)) return 'no';
  if (row.cancelRequestedAt !== null) return 'asked';
  return (await kind.mayCancel(row)) ? 'possible' : 'no';
}
