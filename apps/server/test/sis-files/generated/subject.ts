/** Sandbox objects affected by a row, and their fields for its columns. */
import type { SisKind } from '@lms-admin/domain/sis-tables';
import type { GeneratedRow } from './file.ts';
import { keyOf, type Snapshot, type Thing, type ThingKind } from './snapshot.ts';

export interface Both {
  before: Snapshot;
  after: Snapshot;
}

/** A field of an object. */
export interface Place {
  key: string;
  field: string;
}

const PERSON = new Set(['full_name', 'sortable_name', 'short_name', 'pronouns', 'email']);

const OWN: Partial<Record<SisKind, { kind: ThingKind; column: string }>> = {
  account: { kind: 'account', column: 'account_id' },
  term: { kind: 'term', column: 'term_id' },
  abstract_course: { kind: 'abstract_course', column: 'abstract_course_id' },
  course: { kind: 'course', column: 'course_id' },
  section: { kind: 'section', column: 'section_id' },
  xlist: { kind: 'section', column: 'section_id' },
  user: { kind: 'login', column: 'user_id' },
  login: { kind: 'login', column: 'user_id' },
  group_category: { kind: 'group_category', column: 'group_category_id' },
  group: { kind: 'group', column: 'group_id' },
};

/** Objects whose ids rows change, by the word for their type. */
export const CHANGED: Readonly<Record<string, ThingKind>> = {
  user: 'login',
  course: 'course',
  section: 'section',
  group: 'group',
  group_category: 'group_category',
  account: 'account',
  term: 'term',
};

const ROLES: Readonly<Record<string, string>> = {
  student: '3',
  studentenrollment: '3',
  ta: '5',
  teacher: '4',
  designer: '6',
  observer: '7',
};

const either = ({ before, after }: Both, kind: ThingKind, sisId: string | undefined): Thing | undefined =>
  sisId ? (after.bySis(kind, sisId) ?? before.bySis(kind, sisId)) : undefined;

/** Finds the row's object, or returns null if it exists neither before nor after. */
export function subjectOf(kind: SisKind, cells: GeneratedRow['cells'], both: Both): string | null {
  const own = OWN[kind];
  if (own) return either(both, own.kind, cells[own.column])?.key ?? null;
  if (kind === 'change_sis_id') {
    const type = CHANGED[(cells['type'] ?? '').toLowerCase()];
    return type ? (both.before.bySis(type, cells['old_id'] ?? '')?.key ?? null) : null;
  }
  const user = (column: string) => either(both, 'login', cells[column])?.fields['user'] ?? null;
  if (kind === 'group_membership') {
    const group = either(both, 'group', cells['group_id']);
    return betweenIn(both, 'group_membership', group?.id ?? null, user('user_id'))[0]?.key ?? null;
  }
  if (kind === 'user_observer')
    return betweenIn(both, 'user_observer', user('observer_id'), user('student_id'))[0]?.key ?? null;
  if (kind !== 'enrollment') return null;
  const person = whoseEnrolment(cells, both);
  const role =
    (cells['role_id'] === '999' ? '' : cells['role_id']) || ROLES[(cells['role'] ?? '').toLowerCase()];
  const associated = role === '7' ? user('associated_user_id') : null;
  return (
    sectionsOf(cells, both)
      .flatMap((section) => betweenIn(both, 'enrollment', section, person))
      .find(({ fields }) => fields['role'] === role && fields['associated'] === associated)?.key ?? null
  );
}

/** Finds the person in an enrolment row: the LMS uses the integration id if the row has one. */
function whoseEnrolment(cells: GeneratedRow['cells'], both: Both): string | null {
  const integrationId = cells['user_integration_id'];
  if (!integrationId) return either(both, 'login', cells['user_id'])?.fields['user'] ?? null;
  const of = (one: Snapshot) =>
    one.of('login').find(({ fields }) => fields['integration_id'] === integrationId)?.fields['user'];
  return of(both.after) ?? of(both.before) ?? null;
}

/** Lists the objects in both snapshots; the later one includes objects created by the file. */
function betweenIn(
  { after, before }: Both,
  kind: ThingKind,
  one: number | string | null,
  other: string | null,
): Thing[] {
  return [...after.between(kind, one, other), ...before.between(kind, one, other)].filter(
    (thing, at, all) => all.findIndex(({ key }) => key === thing.key) === at,
  );
}

function sectionsOf(cells: GeneratedRow['cells'], both: Both): number[] {
  if (cells['section_id']) {
    const named = either(both, 'section', cells['section_id']);
    return named ? [named.id] : [];
  }
  const course = either(both, 'course', cells['course_id']);
  if (!course) return [];
  return [both.before, both.after].flatMap((one) => one.defaultSection(course.id)?.id ?? []);
}

/** Returns the field for a column of the review. */
export function placeOf(kind: SisKind, subject: string, column: string, both: Both): Place {
  if (kind === 'user' && PERSON.has(column)) {
    const user = (both.after.get(subject) ?? both.before.get(subject))?.fields['user'] ?? null;
    return { key: keyOf('person', user), field: column };
  }
  // The address of an additional login. The person's own address stays the same.
  if (kind === 'login' && column === 'email') return { key: subject, field: 'address' };
  if (kind === 'user' && column === 'user_id') return { key: subject, field: 'sis_id' };
  if (kind === 'xlist' && column === 'xlist_course_id') return { key: subject, field: 'course_id' };
  if (kind === 'change_sis_id' && column === 'id') return { key: subject, field: 'sis_id' };
  return { key: subject, field: column };
}
