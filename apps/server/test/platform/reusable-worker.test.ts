/** A thread that is reused for one piece of work after another, and ended when it exceeds the limits. */
import { afterEach, expect, test } from 'vitest';
import { ReusableWorker, ThreadEnded, type ThreadLimits } from '../../src/platform/reusable-worker.ts';

/** Code for the thread: follows instructions, and says which thread it is. */
const FILE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (what) => {
      console.log('nobody reads this');
      const held = [];
      if (what === 'for ever') for (;;);
      if (what === 'memory') for (;;) held.push(new Array(100_000).fill({}));
      if (what === 'fail') throw new Error('a fault of its own');
      parentPort.postMessage([what, threadId]);
    });
  `)}`,
);
const never = new AbortController().signal;
const ends: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

function thread(limits: Partial<ThreadLimits> = {}): ReusableWorker<string, [string, number]> {
  const made = new ReusableWorker<string, [string, number]>(FILE, {
    memoryMb: 32,
    giveUpAfterMs: 20_000,
    idleMs: 600_000,
    ...limits,
  });
  // Work ended by its time limit does not outlive the test.
  ends.push(() => made.run('fail', never).catch(() => undefined));
  return made;
}

test('one thread does everything, in order', async () => {
  const one = thread();
  const answers = await Promise.all(['a', 'b', 'c'].map((what) => one.run(what, never)));
  expect(answers.map(([what]) => what)).toEqual(['a', 'b', 'c']);
  expect(new Set(answers.map(([, id]) => id)).size).toBe(1);
});

test.each(['memory', 'fail'])(
  'if %s ends the thread, this is reported, and the next piece of work gets another thread',
  async (what) => {
    const one = thread();
    const [, id] = await one.run('a', never);
    const [bad, next] = await Promise.allSettled([one.run(what, never), one.run('b', never)]);
    expect((bad as PromiseRejectedResult).reason).toBeInstanceOf(ThreadEnded);
    expect((next as PromiseFulfilledResult<[string, number]>).value[0]).toBe('b');
    expect((next as PromiseFulfilledResult<[string, number]>).value[1]).not.toBe(id);
  },
);

test('work that takes too long is stopped, and so is work whose callers have left', async () => {
  const one = thread({ giveUpAfterMs: 5_000 });
  const [, id] = await one.run('a', never);
  await expect(one.run('for ever', never)).rejects.toBeInstanceOf(ThreadEnded);
  const gone = new AbortController();
  const left = one.run('for ever', gone.signal);
  const waiting = one.run('c', gone.signal);
  waiting.catch(() => undefined);
  gone.abort(new Error('the reader has disconnected'));
  await expect(left).rejects.toThrow('the reader has disconnected');
  await expect(waiting).rejects.toThrow('the reader has disconnected');
  const [what, another] = await one.run('b', never);
  expect([what, another !== id]).toEqual(['b', true]);
});

test('the thread ends after a while without work', async () => {
  const one = thread({ idleMs: 1 });
  const [, id] = await one.run('a', never);
  await expect
    .poll(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return (await one.run('b', never))[1] === id;
    })
    .toBe(false);
});
