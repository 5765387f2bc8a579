/** Writes the practice school into an empty world: identical each time, on every machine. */

import { chanceOfSchool } from '../../seed/people.ts';
import { BASE_DATE } from '../../seed/school.ts';
import type { World } from '../store/world.ts';
import { seedAccounts } from './accounts.ts';
import { seedActivities } from './activities.ts';
import { seedCourses } from './courses.ts';
import { seedPeople } from './people.ts';

/** The version of the seed; raised with each change, because a sandbox saves only differences from it. */
export const SEED = 2;

const SIZES = {
  default: { people: 4200, crowd: { students: [12, 40] } },
  large: { people: 60_200, crowd: { students: [10, 30] } },
} as const;

/** Fills the world; everything in it was created on the same day. */
export function seedWorld(world: World, size: 'default' | 'large'): void {
  const clock = world.clock;
  world.clock = () => BASE_DATE;
  const chance = chanceOfSchool();
  seedAccounts(world);
  const cast = seedPeople(world, chance, SIZES[size].people);
  seedCourses(world, chance, size, cast, SIZES[size].crowd);
  seedActivities(world, size);
  world.clock = clock;
}
