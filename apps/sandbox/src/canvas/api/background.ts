/** Work that is answered with a Progress before it is done (reference §6.12). */

import type { Progress, Row } from '../store/model.ts';
import type { World } from '../store/world.ts';

type About = Pick<Progress, 'context_id' | 'context_type' | 'tag' | 'user_id'>;

/** What comes of the work; a text: why it was not done. */
export type Done = { results: Progress['results'] } | string;

/** Begins once the answer has the progress. A reset meanwhile ends it. */
export function inBackground(world: World, about: About, work: () => Promise<Done> | Done): Progress {
  const progress = world.progresses.add({
    ...about,
    completion: 0,
    workflow_state: 'queued',
    message: null,
    results: null,
  } satisfies Omit<Progress, keyof Row>);
  const isThere = () => world.progresses.get(progress.id) === progress;
  const end = (patch: Partial<Progress>) => isThere() && world.progresses.change(progress, patch);
  const run = async () => {
    if (!isThere()) return;
    world.progresses.change(progress, { workflow_state: 'running' });
    const done = await work();
    if (typeof done === 'string') end({ workflow_state: 'failed', message: done });
    else end({ workflow_state: 'completed', completion: 100, results: done.results });
  };
  setImmediate(() => {
    run().catch((error: unknown) => {
      // A fault of the sandbox: anyone who runs it should see it.
      console.error(error);
      end({ workflow_state: 'failed' });
    });
  });
  return progress;
}
