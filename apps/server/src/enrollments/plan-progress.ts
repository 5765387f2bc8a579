/** How far a plan in the making is. */

export interface PlanStep {
  /** What is being read: people, then `places`: the courses, or the sections of a plan of Section Enrollment. */
  reading: 'people' | 'places';
  done: number;
  total: number;
  not_found: number;
  failed: number;
}

export interface PlanProgress {
  signal: AbortSignal;
  /** Called as often as something is done. */
  onStep: (step: PlanStep) => void;
}
