/** How far a plan in the making is. */
import type { PlanProgressOf } from '../plans/kind.ts';

export interface PlanStep {
  /**
   * What is being read: people, then `places`: the courses, or the sections of a plan of Section Enrollment; then the observers of
   * students who are added.
   */
  reading: 'people' | 'places' | 'observers';
  done: number;
  total: number;
  not_found: number;
  failed: number;
}

export type PlanProgress = PlanProgressOf<PlanStep>;
