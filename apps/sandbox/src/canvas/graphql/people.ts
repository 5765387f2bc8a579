/** Enrolments and people in a course that a GraphQL query asks for. */

import { userMatches } from '../api/json/users.ts';
import { compareNames } from '../api/lists.ts';
import { isTestStudent } from '../api/test-student.ts';
import type { View } from '../http/view.ts';
import type { Enrollment, User } from '../store/model.ts';
import { numberIn } from './connections.ts';

export type RosterFilter = {
  associatedUserIds?: readonly string[] | null;
  states?: readonly string[] | null;
  types?: readonly string[] | null;
  userIds?: readonly string[] | null;
};

export type PeopleFilter = {
  userIds?: readonly string[] | null;
  enrollmentStates?: readonly string[] | null;
  enrollmentTypes?: readonly string[] | null;
  excludeTestStudents?: boolean | null;
  searchTerm?: string | null;
};

/** Returns the enrolments of the roster, by ID. */
export function rosterOf(all: readonly Enrollment[], filter: RosterFilter): Enrollment[] {
  const { states, types } = filter;
  const observed = idsIn(filter.associatedUserIds);
  const people = idsIn(filter.userIds);
  return all
    .filter((e) => (!states || states.includes(e.workflow_state)) && (!types || types.includes(e.type)))
    .filter((e) => !observed || observed.has(e.associated_user_id ?? Number.NaN))
    .filter((e) => !people || people.has(e.user_id))
    .sort((a, b) => a.id - b.id);
}

/** Lists each person once, by sortable name. */
export function peopleOf(view: View, all: readonly Enrollment[], filter: PeopleFilter): User[] {
  const { enrollmentStates: states, enrollmentTypes: types, excludeTestStudents: excludesTest } = filter;
  const people = idsIn(filter.userIds);
  const term = filter.searchTerm?.trim().toLowerCase() ?? '';
  const ids = all
    .filter((e) => (!states || states.includes(e.workflow_state)) && (!types || types.includes(e.type)))
    .filter((e) => !(excludesTest && isTestStudent([e])))
    .map((e) => e.user_id);
  return [...new Set(ids)]
    .filter((id) => !people || people.has(id))
    .map((id) => view.world.users.must(id))
    .filter((user) => user.workflow_state !== 'deleted' && (term === '' || userMatches(view, user, term)))
    .sort((a, b) => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id);
}

/** Reads the given IDs, or returns null if there are none. */
function idsIn(given: readonly string[] | null | undefined): ReadonlySet<number> | null {
  return given && given.length > 0 ? new Set(given.map((id) => numberIn('User', id))) : null;
}
