import type { Progress } from '../../store/model.ts';
import type { SisBatch } from '../../store/sis-batch.ts';
import type { World } from '../../store/world.ts';

export interface RestoreOptions {
  batch_mode: boolean;
  undelete_only: boolean;
  unconclude_only: boolean;
}

export function isFinished(batch: SisBatch): boolean {
  return batch.ended_at !== null;
}

export function restoreStates(
  world: World,
  batch: SisBatch,
  _options: RestoreOptions,
  userId: number,
): Progress {
  return world.progresses.add({
    context_id: batch.id,
    context_type: 'SisBatch',
    user_id: userId,
    tag: 'sis_batch_state_restore',
    completion: 0,
    workflow_state: 'queued',
    message: null,
    results: null,
  });
}
