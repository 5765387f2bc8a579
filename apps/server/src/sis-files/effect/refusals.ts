/** Why the LMS rejects valid rows because of its data: checked table by table, and reported before sending. */
import type { Evaluation, Refusals } from './evaluation.ts';
import { peopleRefusals } from './refusals-people.ts';
import { placeRefusals } from './refusals-places.ts';

/** @throws CanvasError when the token is refused */
export async function refusalsOf(evaluation: Omit<Evaluation, 'refusals'>): Promise<Refusals> {
  const [people, places] = await Promise.all([peopleRefusals(evaluation), placeRefusals(evaluation)]);
  return { ...people, ...places };
}
