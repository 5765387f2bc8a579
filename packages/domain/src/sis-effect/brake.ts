/** The confirmation: when the number of all removals must be typed before a file is sent. Pure. */

/** Number of removals, and share of the existing objects, above which confirmation is required. */
export const MANY_TAKEN = 50;
export const TAKEN_SHARE = 0.05;

export const BRAKE_REASONS = ['many', 'whole-place', 'share-of-course', 'share-of-all', 'untold'] as const;
export type BrakeReason = (typeof BRAKE_REASONS)[number];

export interface Taken {
  /** Number of all removals, including what ends with them, in all tables. */
  all: number;
  /** Whether a course or section is removed with enrolments in it. */
  whole: boolean;
  /** Whether something could not be counted, or compared. */
  untold: boolean;
  /** Active enrolments of each course that loses some, and the number it loses. */
  courses: readonly { taken: number; active: number | null }[];
  /** For people and courses: number of removals, and number of existing ones, as far as counted. */
  ofAll: readonly { taken: number; there: number | null }[];
}

/** Returns why the number is required; null if it is not. */
export function brakeReason({ all, whole, untold, courses, ofAll }: Taken): BrakeReason | null {
  if (all === 0) return null;
  if (whole) return 'whole-place';
  if (all > MANY_TAKEN) return 'many';
  const large = (taken: number, there: number | null) =>
    taken > 0 && there !== null && there > 0 && taken > there * TAKEN_SHARE;
  if (courses.some(({ taken, active }) => large(taken, active))) return 'share-of-course';
  if (ofAll.some(({ taken, there }) => large(taken, there))) return 'share-of-all';
  const dark = courses.some(({ taken, active }) => taken > 0 && active === null);
  return untold || dark ? 'untold' : null;
}
