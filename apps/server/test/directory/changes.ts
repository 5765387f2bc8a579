/** Changes to people that are made in the LMS itself, so that no import shows them. */
import type { Campus, Person } from '../enrollments/campus.ts';

export type Change = keyof ReturnType<typeof changesIn>;

export const CHANGES: readonly Change[] = [
  'none',
  'renamed',
  'passedOn',
  'shared',
  'secondLogin',
  'swapped',
  'secondSisId',
  'otherSisId',
  'noSisId',
  'suspended',
  'deleted',
];

/** @returns functions that change a person, whose text may then mean another one */
export function changesIn(campus: Campus) {
  const { users, pseudonyms, channels } = campus.sandbox.world;
  const loginOf = ({ id }: Person) => {
    const [login] = pseudonyms.by.user.get(id);
    if (!login) throw new Error(`person ${id} has no login`);
    return login;
  };
  /** Gives a person another login, and the same email address. */
  const giveLogin = (person: Person, unique_id: string) => {
    pseudonyms.change(loginOf(person), { unique_id });
    for (const one of channels.by.user.get(person.id)) channels.change(one, { path: unique_id });
  };
  /** Gives a person a second login, which lists do not show. */
  const addLogin = (person: Person, unique_id: string, sis_user_id: string | null) => {
    const { id: _id, ...like } = loginOf(person);
    pseudonyms.add({ ...like, unique_id, sis_user_id, integration_id: null });
  };
  return {
    none() {},
    renamed: (one: Person) => giveLogin(one, `was-${one.email}`),
    passedOn(one: Person, other: Person) {
      giveLogin(one, `was-${one.email}`);
      giveLogin(other, one.email);
    },
    shared: (one: Person, other: Person) => giveLogin(other, one.email.toUpperCase()),
    secondLogin(one: Person, other: Person) {
      giveLogin(one, `was-${one.email}`);
      addLogin(other, one.email, null);
    },
    swapped: (one: Person, other: Person) => campus.swapSisIds(one, other),
    secondSisId(one: Person, other: Person) {
      campus.changeSisId(one, `X${one.sis}`);
      addLogin(other, `second-${one.email}`, one.sis);
    },
    otherSisId: (one: Person) => campus.changeSisId(one, `X${one.sis}`),
    noSisId: (one: Person) => campus.changeSisId(one, null),
    suspended: (one: Person) => pseudonyms.change(loginOf(one), { workflow_state: 'suspended' }),
    deleted(one: Person) {
      pseudonyms.change(loginOf(one), { workflow_state: 'deleted' });
      users.change(users.must(one.id), { workflow_state: 'deleted' });
    },
  } as const;
}
