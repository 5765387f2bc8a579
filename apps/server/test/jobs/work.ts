/** A kind of job for tests: its input decides what it does, and a ledger records what it does outside. */
import { z } from 'zod';
import { Cancelled, JobFailed, type JobKind, RestUntil } from '../../src/jobs/kind.ts';
import type { StartableKind } from '../../src/jobs/start.ts';
import { OutsideError } from '../../src/outbound/errors.ts';
import { AppError } from '../../src/platform/errors.ts';
import type { OutsideErrorKind } from '../../src/platform/outside.ts';

const outside = (kind: OutsideErrorKind) =>
  new OutsideError('Elsewhere', kind, { sent: 'answered', detail: 'as it says' });

export const workInput = z.object({
  label: z.string().default('Some work'),
  /** `bad` fails, `late` waits for the second turn, `broken` throws; three items starting with `together` wait for each other. */
  items: z.array(z.string()).default([]),
  /** Number of items that run at the same time. */
  atOnce: z.number().int().default(1),
  /** Course of the job: it runs to its end, or fails in one of several ways. */
  way: z
    .enum([
      'end',
      'fail',
      'fault',
      'rest',
      'torn',
      'wait',
      'partly',
      'barred',
      'away',
      'closed',
      'halfway',
      'signed-out',
      'stale-key',
    ])
    .default('end'),
});

/** The outside system. */
export interface Ledger {
  /** Does one thing; rejects if the outside system is broken. */
  add(jobId: string, label: string): Promise<void>;
  has(jobId: string, label: string): Promise<boolean>;
}

export interface TestKind extends StartableKind {
  /** Ends the wait for jobs that are waiting. */
  release(): void;
  /** Number of times that work was started. */
  turns: number;
  /** Whether the outside system rejects the admin's token. */
  signedOut: boolean;
  /** Attempts recorded when the last turn started, including that turn. */
  attempts: number;
}

export function testKind(ledger: Ledger): TestKind {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const three = meeting(3);
  const kind: JobKind & { turns: number; attempts: number; signedOut: boolean } = {
    id: 'test-work',
    atOnce: 4,
    atOnceEach: 3,
    keeps: 'work',
    listed: true,
    changes: true,
    begins: 'Beginning',
    untouched: 'Nothing was done.',
    turns: 0,
    attempts: 0,
    signedOut: true,
    mayCancel: async () => true,
    async run(work) {
      kind.turns++;
      kind.attempts = work.job.attempts;
      const { items, way, atOnce } = workInput.parse(await work.input());
      work.cancel.throwIfAborted();
      if (way === 'halfway') {
        await work.save({ stage: 'So far', done: 1, total: 2, unit: 'steps' });
        throw new Error('a fault of ours, each time at the same place');
      }
      if (way === 'fault') throw new Error('a fault of ours');
      if (way === 'barred') throw new AppError('not-allowed');
      if (way === 'closed') throw outside('refused');
      if (way === 'signed-out' && kind.signedOut) throw outside('signed-out');
      if (way === 'stale-key' && kind.turns === 1) throw outside('token-refused');
      // The outside system answers again at the third attempt.
      if (way === 'away' && kind.turns < 3) throw outside('down');
      if (way === 'fail') throw new JobFailed('The outside said no.', 'Ask it.');
      if (way === 'rest' && kind.turns === 1)
        throw new RestUntil(new Date(Date.now() + 300), 'It is closed.');
      if (way === 'torn') {
        const tear = () => Promise.reject(new Error('the second write fails'));
        await work.save({ stage: 'First' });
        await work.save({ stage: 'Never' }, tear).catch(() => {});
        if (work.job.stage !== 'First') throw new JobFailed(`It is at ${work.job.stage}.`, 'Correct it.');
      }
      if (way === 'wait') {
        await work.save({ stage: 'Waiting', done: 1, total: 2, unit: 'steps' });
        const cancelled = new Promise<void>((resolve) => {
          work.cancel.addEventListener('abort', () => resolve());
          work.signal.addEventListener('abort', () => resolve());
        });
        await Promise.race([released, cancelled]);
        work.signal.throwIfAborted();
        if (work.cancel.aborted) throw new Cancelled('One of two steps was done.');
      }
      await work.save({ unit: 'things' });
      await work.items.plan(items.map((label) => ({ label, input: { label } })));
      let late = false;
      await work.items.each({
        atOnce,
        between: () => {
          if (work.cancel.aborted) throw new Cancelled('What was done stays.');
        },
        async do({ label }) {
          if (label === 'bad') return { state: 'failed', message: 'not this one' };
          if (label === 'broken') throw new JobFailed('It broke.', 'Correct it.');
          if (label === 'late' && kind.turns === 1) {
            late = true;
            return { state: 'todo', message: 'not before tomorrow' };
          }
          if (label.startsWith('together')) await three();
          await ledger.add(work.job.id, label);
          return { state: 'done', outsideId: `outside ${label}` };
        },
        find: async ({ label }) =>
          (await ledger.has(work.job.id, label)) ? { state: 'done', outsideId: `outside ${label}` } : null,
      });
      if (late) throw new RestUntil(new Date(Date.now() + 300), 'It is not tomorrow.');
      const counts = await work.items.counts();
      return {
        outcome: way === 'partly' || counts.failed > 0 ? 'partly' : 'done',
        result: { counts },
        figures: [['things', counts.done]],
      };
    },
  };
  return Object.assign(kind, {
    release,
    start: {
      tool: 'course-enrollment' as const,
      input: workInput,
      check: (_: unknown, input: unknown) => ({ label: workInput.parse(input).label }),
    },
  });
}

/** Resolves for all callers once this many have arrived. */
function meeting(size: number): () => Promise<void> {
  let there = 0;
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    if (++there >= size) open();
    return opened;
  };
}

/** Creates a ledger that keeps its state in memory. */
export function memoryLedger(): Ledger & { done: string[] } {
  const done: string[] = [];
  return {
    done,
    async add(jobId, label) {
      done.push(`${jobId} ${label}`);
    },
    has: async (jobId, label) => done.includes(`${jobId} ${label}`),
  };
}
