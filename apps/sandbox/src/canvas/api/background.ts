/** Work whose request is answered with a Progress before the work is done (reference §6.12). */

import type { Progress, Row } from '../store/model.ts';
import type { World } from '../store/world.ts';

type About = Pick<Progress, 'context_id' | 'context_type' | 'tag' | 'user_id'>;

/** Result of the work, or a text with the reason why it was not done. */
export type Done = { results: Progress['results']; message?: string } | string;

/** Starts once the answer contains the progress. A reset or a cancellation in between ends the work. */
export function inBackground(world: World, about: About, work: () => Promise<Done> | Done): Progress {
  const progress = world.progresses.add({
    ...about,
    completion: 0,
    workflow_state: 'queued',
    message: null,
    results: null,
  } satisfies Omit<Progress, keyof Row>);
  /** Checks whether the work can continue: not after a reset, and not if it was cancelled. */
  const isThere = () =>
    world.progresses.get(progress.id) === progress && progress.workflow_state !== 'failed';
  const end = (patch: Partial<Progress>) => isThere() && world.progresses.change(progress, patch);
  const run = async () => {
    if (!isThere()) return;
    world.progresses.change(progress, { workflow_state: 'running' });
    const done = await work();
    if (typeof done === 'string') end({ workflow_state: 'failed', message: done });
    else
      end({
        workflow_state: 'completed',
        completion: 100,
        results: done.results,
        message: done.message ?? null,
      });
  };
  setImmediate(() => {
    run().catch((error: unknown) => {
      // A fault of the sandbox itself, which its operator should see.
      console.error(error);
      end({ workflow_state: 'failed' });
    });
  });
  return progress;
}
