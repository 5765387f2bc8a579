/** `lms-admin jobs`: lists, cancels or resumes work. */
import type { OperatorJob } from '../../jobs/jobs.ts';
import { type Reach, reachDatabase } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import type { Command } from './command.ts';

const MOST = 1_000;
const DEFAULT = 50;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const command: Command = {
  usage: 'jobs [list [--all] [--limit N] [--json] | cancel ID | retry ID]',
  about: 'lists work that has not ended (or the latest), cancels one job, or starts a waiting one now',
  failed: 'The jobs were not changed',
  options: { all: { type: 'boolean' }, limit: { type: 'string' }, json: { type: 'boolean' } },
  positionals: [0, 2],
  async run({ config, services, positionals: [what = 'list', id], options, say }) {
    const isList = what === 'list' && id === undefined;
    if (!isList && !(['cancel', 'retry'].includes(what) && ID.test(id ?? ''))) {
      throw new Refusal(
        'Add what to do: list, cancel ID or retry ID.',
        'The IDs are in the first column of "lms-admin jobs".',
      );
    }
    const reach = await reachDatabase(config(), services);
    try {
      if (isList) await list(reach, options, say);
      else if (what === 'cancel') await cancel(reach, id ?? '', say);
      else await retry(reach, id ?? '', say);
    } finally {
      await reach.close();
    }
    return 0;
  },
};

/** A job as received over the socket. */
type Listed = Record<keyof OperatorJob, string | null>;

async function list(
  reach: Reach,
  options: Parameters<Command['run']>[0]['options'],
  say: (line: string) => void,
) {
  const limit = Math.min(MOST, Number(options.limit ?? DEFAULT) || DEFAULT);
  const all = options.all === true;
  const jobs = (await reach.ask('jobsList', { all, limit })) as Listed[];
  if (options.json === true) return say(JSON.stringify(jobs, null, 2));
  if (jobs.length === 0) return say(all ? 'No work is recorded.' : 'All work has ended.');
  for (const { id, createdAt, state, outcome, kind, login, label, waitWhy } of jobs) {
    const why = waitWhy ? ` (${waitWhy})` : '';
    say([id, createdAt, outcome ?? state, kind, login, `${label}${why}`].join('  '));
  }
}

async function cancel(reach: Reach, id: string, say: (line: string) => void) {
  const became = await reach.ask('jobsCancel', { id });
  if (became === null) throw noSuchJob(id);
  if (became === 'no') {
    throw new Refusal(
      `Job ${id} can no longer be cancelled, because it has ended or the LMS already has it.`,
      'See "lms-admin jobs list --all".',
    );
  }
  say(`Job ${id} will be cancelled at its next step.`);
}

async function retry(reach: Reach, id: string, say: (line: string) => void) {
  const woken = await reach.ask('jobsRetry', { id });
  if (woken === null) throw noSuchJob(id);
  if (woken === 'held') {
    throw new Refusal(
      `Job ${id} changes something in another system. It has been held since LMS Admin was restored from a backup.`,
      'Make sure that no other server works on the same data, then run "lms-admin release". All held work then continues.',
    );
  }
  if (woken === false) {
    throw new Refusal(
      `Job ${id} is not waiting for its next try.`,
      'The job is running, is waiting for a sign-in, or has ended. See "lms-admin jobs list --all".',
    );
  }
  say(`Job ${id} starts now.`);
}

const noSuchJob = (id: string) => new Refusal(`No job has the ID ${id}.`, 'See "lms-admin jobs list --all".');
