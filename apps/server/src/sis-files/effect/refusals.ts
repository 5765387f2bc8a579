/** What the LMS refuses for what it holds, though the row alone is right: asked table by table, told before anything is sent. */
import type { Evaluation, Refusals } from './evaluation.ts';
import { peopleRefusals } from './refusals-people.ts';
import { placeRefusals } from './refusals-places.ts';

/** @throws CanvasError when the token is refused */
export async function refusalsOf(evaluation: Omit<Evaluation, 'refusals'>): Promise<Refusals> {
  const [people, places] = await Promise.all([peopleRefusals(evaluation), placeRefusals(evaluation)]);
  return { ...people, ...places };
}
