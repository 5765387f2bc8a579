/** People of the practice school: the same people, in the same order, for all systems. */

import { FIRST_NAMES, LAST_NAMES, loginPart } from './names.ts';
import { Chance } from './prng.ts';

/** A person on the school's roll. */
export type RolledPerson = {
  id: number;
  first: string;
  last: string;
  /** The part of the login and the email before the @. */
  login: string;
};

/** Returns the school's random source; the roll of people is the first to use it. */
export function chanceOfSchool(): Chance {
  return new Chance(20_260_901);
}

/** Yields people one by one, teachers first. Repeated names get a number in the login. */
export function rollOfSchool(chance: Chance): () => RolledPerson {
  let id = 1000;
  const taken = new Map<string, number>();
  return () => {
    const first = chance.pick(FIRST_NAMES);
    const last = chance.pick(LAST_NAMES);
    const base = `${loginPart(first)}.${loginPart(last)}`;
    const count = (taken.get(base) ?? 0) + 1;
    taken.set(base, count);
    id++;
    return { id, first, last, login: count === 1 ? base : `${base}${count}` };
  };
}
