/** Progress of a plan that is being made. */
import type { PlanProgressOf } from '../plans/kind.ts';

export interface PlanStep {
  /** Current step: people, then `places` (courses or sections), then the observers of students who are added. */
  reading: 'people' | 'places' | 'observers';
  done: number;
  total: number;
  not_found: number;
  failed: number;
}

export type PlanProgress = PlanProgressOf<PlanStep>;
