/** Compares the review of a file with its effect: each field, each count, each rejection, and the result. */
import { MANY_TAKEN, TAKEN_SHARE } from '@lms-admin/domain/sis-effect/brake';
import { ONLY_BETWEEN_DATES } from '@lms-admin/domain/sis-effect/date-limits';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import type { AnnouncedRow, Sent } from './drive.ts';
import { Model, sameValue } from './model.ts';
import { isGone, isOpen, type Snapshot, type Thing } from './snapshot.ts';
import { CHANGED } from './subject.ts';

/** Lists all differences as texts; none if the review was right. */
export function differences(all: Sent): string[] {
  const sent = { ...all, rows: inOrder(withRenamed(all)) };
  const model = new Model(sent);
  for (const row of sent.rows) if (row.kind !== 'change_sis_id') model.apply(row);
  return [
    ...model.compare(),
    ...refusals(sent),
    ...losses(sent, model),
    ...others(sent, model),
    ...courses(sent),
    ...result(sent),
  ];
}

/** Rejections that the review attributes to something that the LMS does not show. */
const MAY_FAIL =
  /If a deleted login has this (?:integration|SIS) [iI][dD]|If a deleted item has the new ID|The LMS rejects the row if it has a deleted enrolment|The LMS accepts the row only if the SIS ID/;

/** Messages of the LMS about a row that it otherwise carries out, as announced by the review. */
const REPORTED = /The LMS reports this, and applies the rest of the row/;

/**
 * Data that the LMS does not show, according to the review: deleted objects, and the contents of deleted
 * courses.
 */
const HIDDEN =
  /[tT]he LMS does not show (?:deleted items|deleted accounts)|If this (?:SIS|integration) ID belongs to a deleted login|The course is deleted: no one sees the section|LMS Admin cannot tell in which section this row is applied/;

/** Returns the rows as applied, with earlier objects under the ids that rows give them. */
function withRenamed({ rows, refused, before, after }: Sent): AnnouncedRow[] {
  const names = new Set(refused.map(nameOf));
  const hidden = new Set<AnnouncedRow>();
  // Rows that change ids come first, so that the others find the new ids.
  for (const row of rows) {
    const { kind, does, cells } = row;
    if (HIDDEN.test(row.why ?? '') && isHiddenThere(row, before, after)) hidden.add(row);
    const thing = CHANGED[(cells['type'] ?? '').toLowerCase()];
    const told = (does === 'changes' || hidden.has(row)) && !names.has(nameOf(row));
    if (kind === 'change_sis_id' && told && thing)
      before.rename(thing, cells['old_id'] ?? '', cells['new_id'] || (cells['old_id'] ?? ''));
  }
  const failed = rows.filter((row) => MAY_FAIL.test(row.why ?? '') && names.has(nameOf(row)));
  const people = new Set(
    failed.flatMap(({ kind, cells }) =>
      kind === 'user' || kind === 'login' ? (cells['user_id'] ?? []) : [],
    ),
  );
  return rows.map((row) => {
    const namesOne = ['user_id', 'existing_user_id'].some((column) => people.has(row.cells[column] ?? ''));
    if (namesOne && names.has(nameOf(row))) return { ...row, does: 'fails' };
    if (MAY_FAIL.test(row.why ?? '') && names.has(nameOf(row))) return { ...row, does: 'fails' };
    return hidden.has(row) && row.does !== 'changes' ? { ...row, does: 'unknown' } : row;
  });
}

/** Returns whether a row's hidden object exists. If it does not, the row's effect must be as shown. */
function isHiddenThere({ kind, does, cells }: AnnouncedRow, before: Snapshot, after: Snapshot): boolean {
  if (kind === 'change_sis_id') {
    const thing = CHANGED[(cells['type'] ?? '').toLowerCase()];
    return thing !== undefined && before.bySis(thing, cells['old_id'] ?? '') !== undefined;
  }
  const gone = (thing: Thing | undefined) => thing !== undefined && isGone(thing);
  const inGone = (thing: Thing | undefined) =>
    gone(thing) || (thing !== undefined && gone(before.get(`course ${thing.fields['course']}`)));
  if (kind === 'course') return gone(before.bySis('account', cells['account_id'] ?? ''));
  const section = before.bySis('section', cells['section_id'] ?? '');
  // A guess based on the object's name, as the review says: another object, or none, has the SIS ID.
  if (kind === 'section' && does === 'restores') return section?.fields['course_id'] !== cells['course_id'];
  if (inGone(section)) return true;
  // An earlier row of the upload may have deleted the section.
  if (kind === 'enrollment' && gone(after.bySis('section', cells['section_id'] ?? ''))) return true;
  if (kind === 'section') return gone(before.bySis('course', cells['course_id'] ?? ''));
  if (kind !== 'enrollment') return false;
  const course = before.bySis('course', cells['course_id'] ?? '');
  // The review says that it cannot determine the default section.
  const own = course && !cells['section_id'] ? before.defaultSection(course.id) : undefined;
  if (own && own.fields['sis_id'] !== null) return true;
  const away = before.of('section').some(({ fields }) => fields['home'] === String(course?.id));
  const logins = ['user_id', 'associated_user_id'].map((column) =>
    before.bySis('login', cells[column] ?? ''),
  );
  return away || logins.some(gone);
}

/**
 * Sorts people rows in file order: the review lists the end of a login separately from the end of a person.
 */
function inOrder(rows: readonly AnnouncedRow[]): AnnouncedRow[] {
  const people = rows.filter(({ kind }) => kind === 'user').sort((a, b) => a.row - b.row);
  return rows.map((row) => (row.kind === 'user' ? (people.shift() ?? row) : row));
}

/** Checks that exactly the rows announced as failing are rejected. */
function refusals({ rows, refused }: Sent): string[] {
  const fails = new Set(rows.filter(({ does }) => does === 'fails').map(nameOf));
  const perhaps = new Set(
    rows.filter(({ does, why }) => does === 'unknown' || REPORTED.test(why ?? '')).map(nameOf),
  );
  const by = new Map(refused.map((one) => [nameOf(one), one.message]));
  const found: string[] = [];
  for (const one of rows)
    if (one.does === 'fails' && !by.has(nameOf(one)))
      found.push(
        `${nameOf(one)} ${JSON.stringify(one.cells)} is said to fail (${one.why}), and the LMS took it`,
      );
  for (const [name, message] of by)
    if (!fails.has(name) && !perhaps.has(name)) found.push(`${name} is refused: ${message}`);
  return found;
}

const nameOf = ({ kind, row }: { kind: SisKind; row: number }): string => `${kind} row ${row}`;

/** The tables under which the review counts removals. */
const COUNTED: Partial<Record<Thing['kind'], SisKind>> = {
  account: 'account',
  term: 'term',
  abstract_course: 'abstract_course',
  course: 'course',
  section: 'section',
  enrollment: 'enrollment',
  group_category: 'group_category',
  group: 'group',
  group_membership: 'group_membership',
  user_observer: 'user_observer',
};

/** Returns whether an object is removed or ends. */
function isLost(before: Thing, after: Thing | undefined): boolean {
  if (isGone(before)) return false;
  if (isGone(after)) return true;
  if (before.kind === 'course')
    return before.fields['status'] !== 'completed' && after?.fields['status'] === 'completed';
  if (before.kind !== 'enrollment') return false;
  return (isOpen(before) && !isOpen(after)) || before.fields['course'] !== after?.fields['course'];
}

/** Checks that removals match the counts, by kind and by course, and that the number to confirm is their sum. */
function losses({ effect, before, after, rows }: Sent, model: Model): string[] {
  const found: string[] = [];
  // Returns whether an enrolment is in a deleted course. No one has access to one, so whatever moved into it
  // with a section cannot be lost.
  const isShut = ({ kind, fields }: Thing) =>
    kind === 'enrollment' && isGone(before.get(`course ${fields['course']}`));
  const lost = [...before.things.values()].filter((one) => isLost(one, after.get(one.key)) && !isShut(one));
  const known = new Map<SisKind, number>();
  const uncounted = saidUncounted(rows, before);
  for (const { kind, key } of lost) {
    // The object is already removed together with its course.
    if (kind === 'section' && isGone(before.get(`course ${before.get(key)?.fields['course']}`))) continue;
    const counted = COUNTED[kind];
    if (kind === 'group_membership' && uncounted.has(key)) continue;
    if (counted && !model.unknown.has(key)) known.set(counted, (known.get(counted) ?? 0) + 1);
  }
  const { user, login } = loginsLost(before, after, model);
  if (user > 0) known.set('user', user);
  if (login > 0) known.set('login', login);
  const dark = rows.some(({ does }) => does === 'unknown');
  const taken = new Map(effect.brake.takes.map(({ kind, count }) => [kind, count]));
  for (const kind of new Set([...known.keys(), ...taken.keys()])) {
    const [says, is] = [taken.get(kind) ?? 0, known.get(kind) ?? 0];
    if (dark ? says < is : says !== is) found.push(`takes ${says} of ${kind}, in fact ${is}`);
  }
  const total = effect.brake.takes.reduce((sum, { count }) => sum + count, 0);
  const { confirm } = effect.brake;
  if (confirm !== null && confirm !== total)
    found.push(`${confirm} are to be confirmed, ${total} are counted`);
  const byCourse = new Map<string, number>();
  for (const one of lost) {
    if (one.kind !== 'enrollment') continue;
    const course = before.get(`course ${one.fields['course']}`);
    const id = course?.fields['sis_id'] ?? '';
    byCourse.set(id, (byCourse.get(id) ?? 0) + 1);
    const there = before.of('enrollment').filter((each) => each.fields['course'] === one.fields['course']);
    const active = there.filter((each) => each.fields['status'] === 'active').length;
    if (confirm === null && active > 0 && (byCourse.get(id) ?? 0) > active * TAKEN_SHARE)
      found.push(`no number is asked though ${id} loses ${byCourse.get(id)} of ${active} active enrolments`);
  }
  if (confirm === null && lost.length > MANY_TAKEN) found.push(`no number is asked for ${lost.length}`);
  if (dark) return found;
  const told = new Map<string, number>();
  for (const { sis_course_id: id, taken: count } of effect.brake.courses)
    told.set(id, (told.get(id) ?? 0) + count);
  for (const id of new Set([...byCourse.keys(), ...told.keys()])) {
    const [says, is] = [told.get(id) ?? 0, byCourse.get(id) ?? 0];
    if (says !== is) found.push(`takes ${says} enrolments of course ${id}, in fact ${is}`);
  }
  return found;
}

/**
 * Returns group memberships in courses where the person is not enrolled. No list of a person's memberships
 * shows them, as the review says.
 */
function saidUncounted(rows: Sent['rows'], before: Snapshot): Set<string> {
  if (!rows.some(({ why }) => why?.includes('groups of courses that they are not enrolled in')))
    return new Set();
  const enrolled = new Set(
    before
      .of('enrollment')
      .flatMap((one) => (isGone(one) ? [] : [`${one.fields['course']} ${one.fields['user']}`])),
  );
  const outside = before.of('group_membership').filter(({ fields }) => {
    const place = before.get(`group ${fields['group']}`)?.fields['place'] ?? '';
    const course = /^Course (\d+)$/.exec(place)?.[1];
    return course !== undefined && !enrolled.has(`${course} ${fields['user']}`);
  });
  return new Set(outside.map(({ key }) => key));
}

/**
 * Counts people whose last login is deleted, or whose last active one is suspended; and logins deleted or
 * suspended although another one exists.
 */
function loginsLost(before: Snapshot, after: Snapshot, model: Model): { user: number; login: number } {
  const people = new Set<string>();
  const deleted = new Map<string, number>();
  const suspended = new Map<string, number>();
  const keeping = new Set<string>();
  const open = new Set<string>();
  for (const { kind, fields } of after.things.values()) {
    if (kind === 'login' && fields['status'] !== 'deleted') keeping.add(`person ${fields['user']}`);
    if (kind === 'login' && fields['status'] === 'active') open.add(`person ${fields['user']}`);
  }
  for (const { kind, key, fields } of before.things.values()) {
    if (kind !== 'login' || model.unknown.has(key)) continue;
    const [was, is] = [fields['status'], after.get(key)?.fields['status']];
    const person = `person ${fields['user']}`;
    if (was === 'active' && is === 'suspended') suspended.set(person, (suspended.get(person) ?? 0) + 1);
    if (was !== 'deleted' && is === 'deleted') deleted.set(person, (deleted.get(person) ?? 0) + 1);
  }
  let login = 0;
  for (const [person, count] of deleted) {
    login += keeping.has(person) ? count : count - 1;
    if (!keeping.has(person)) people.add(person);
  }
  for (const [person, count] of suspended) {
    login += open.has(person) ? count : count - 1;
    if (!open.has(person)) people.add(person);
  }
  return { user: people.size, login };
}

/** Checks that objects not named in rows change only as a counted side effect. */
function others(sent: Sent, model: Model): string[] {
  const { before, after, rows } = sent;
  const found: string[] = [];
  for (const row of rows)
    if (REPORTED.test(row.why ?? '') && !sent.refused.some((one) => nameOf(one) === nameOf(row)))
      found.push(`${nameOf(row)} is said to be reported, and the LMS says nothing of it`);
  const observed = rows.some(({ kind }) => kind === 'user_observer');
  for (const key of new Set([...before.things.keys(), ...after.things.keys()])) {
    if (model.touched.has(key) || model.unknown.has(key)) continue;
    const [one, other] = [before.get(key), after.get(key)];
    if (isGone(one) && isGone(other)) continue;
    if (one && !isGone(one) && isLost(one, other)) continue;
    const changes = Object.entries(other?.fields ?? {}).filter(
      ([field, value]) => !sameValue(field, one?.fields[field], value),
    );
    if (
      changes.length === 0 ||
      isNotified(other, sent, changes) ||
      isFollowing(one, other, changes, observed, sent)
    )
      continue;
    found.push(
      `${key} changes, and no row says so: ${JSON.stringify(Object.fromEntries(changes))} of ${JSON.stringify(one?.fields ?? null)}`,
    );
  }
  return found;
}

/**
 * Checks the review's notes that go beyond the rows: a course created by a cross-listing, a missing default
 * section.
 */
function isNotified(
  other: Thing | undefined,
  { effect, rows, before }: Sent,
  changes: readonly [string, string | null][],
): boolean {
  if (other?.kind === 'course') {
    const told = effect.new_courses.find(({ sis_course_id }) => sis_course_id === other.fields['sis_id']);
    // If a course gets a section that the LMS hides, its name is unknown.
    if (told) return told.name === '' || told.name === other.fields['long_name'];
    if (isFollower(other, rows, changes)) return effect.notes.some((note) => FOLLOWS.test(note));
    return rows.some(
      ({ kind, why, cells }) =>
        kind === 'xlist' &&
        ((/its own course, which is restored with it/.test(why ?? '') &&
          ownCourse(before.bySis('section', cells['section_id'] ?? '')) === String(other.id)) ||
          why?.includes(`The course "${other.fields['sis_id']}" is deleted: the LMS restores it`) ||
          (cells['xlist_course_id'] === other.fields['sis_id'] &&
            /which the LMS (?:creates|restores) for it/.test(why ?? ''))),
    );
  }
  if (other?.kind === 'group_category')
    return rows.some(({ kind, why }) => kind === 'group' && /creates/.test(why ?? ''));
  if (other?.kind !== 'section' || other.fields['sis_id'] !== null) return false;
  const id = other.fields['course_id'];
  return (
    effect.notes.some(
      (note) =>
        note.includes(`because the course "${id}" shows no default section.`) ||
        (/^The LMS creates (?:a )?default section/.test(note) && note.includes(`"${id}" (`)),
    ) ||
    rows.some(
      ({ kind, does, why, cells }) =>
        cells['course_id'] === id &&
        // A course from the same upload has none yet.
        ((kind === 'course' && (does === 'creates' || NEW_AND_CONCLUDED.test(why ?? ''))) ||
          (kind === 'enrollment' && NEW_DEFAULT.test(why ?? ''))),
    )
  );
}

/** Returns the course that a section belongs to, wherever the section is. */
const ownCourse = (section: Thing | undefined) => section?.fields['home'] ?? section?.fields['course'];

const NEW_DEFAULT = /the LMS creates a new section|creates a default section and rejects the row/;
const NEW_AND_CONCLUDED = /so it creates one that is concluded/;
const FOLLOWS = /created for a cross-listing/;
const INHERITED = new Set([
  'long_name',
  'short_name',
  'account_id',
  'term_id',
  'start_date',
  'end_date',
  ONLY_BETWEEN_DATES,
]);

/**
 * Returns whether a course created for a cross-listing took over only the expected changes of the course that
 * it follows.
 */
function isFollower(
  { fields }: Thing,
  rows: readonly AnnouncedRow[],
  changes: readonly [string, string | null][],
): boolean {
  return (
    rows.some(
      ({ kind, does, cells }) =>
        kind === 'course' && does !== 'nothing' && cells['course_id'] === fields['like'],
    ) && changes.every(([field]) => INHERITED.has(field))
  );
}

/** Returns whether a change follows from a row by the LMS's own rules, without a loss for anyone. */
function isFollowing(
  one: Thing | undefined,
  other: Thing | undefined,
  changes: [string, string | null][],
  observed: boolean,
  sent: Sent,
): boolean {
  const kind = one?.kind ?? other?.kind;
  if (kind === 'enrollment' && other?.fields['associated'] != null) return isObserverTold(one, other, sent);
  // If a person had no address, that of a new login becomes theirs.
  if (kind === 'person')
    return changes.every(([field]) => field === 'status' || (field === 'email' && !one?.fields['email']));
  // The only remaining section becomes the default one.
  if (kind === 'section' && changes.every(([field]) => field === 'default_section')) return true;
  return observed && kind === 'enrollment' && other?.fields['role'] === '7';
}

/** Returns whether a row says that an observer is enrolled: with the student, or by a link. */
function isObserverTold(one: Thing | undefined, other: Thing, { rows, before, after }: Sent): boolean {
  // If an enrolment that has ended gets another ended state, this gives no more access than before.
  if (!isGone(one) && !isOpen(other)) return true;
  const { user, associated, course } = other.fields;
  const name = before.get(`person ${user}`)?.fields['full_name'] ?? '';
  const whose = (sisId: string | undefined) =>
    (after.bySis('login', sisId ?? '') ?? before.bySis('login', sisId ?? ''))?.fields['user'];
  return rows.some(({ kind, does, why, cells }) => {
    const said = why ?? '';
    if (kind === 'course')
      return (
        OBSERVERS_BACK.test(said) && String(after.bySis('course', cells['course_id'] ?? '')?.id) === course
      );
    if (kind === 'enrollment')
      return whose(cells['user_id']) === associated && (does === 'unknown' || WITH_STUDENT.test(said));
    if (kind !== 'user_observer' || whose(cells['student_id']) !== associated) return false;
    const own = whose(cells['observer_id']) === user && does !== 'nothing' && does !== 'fails';
    return own || (name !== '' && said.includes(name));
  });
}

const WITH_STUDENT = /linked observers? (?:is|are) enrolled|If a linked observer was removed/;
const OBSERVERS_BACK = /The same applies to observers who were removed from the course earlier/;

/** Checks that the review's counts of courses match its rows. */
function courses({ effect, courses: shown }: Sent): string[] {
  const table = effect.tables.find(({ kind }) => kind === 'enrollment');
  if (!table) return [];
  const rows = shown.reduce((sum, one) => sum + one.rows, 0);
  const found = rows === table.rows ? [] : [`courses have ${rows} rows, the table ${table.rows}`];
  for (const [does, count] of Object.entries(table.does)) {
    const those = shown.reduce((sum, one) => sum + (one.does[does as AnnouncedRow['does']] ?? 0), 0);
    if (those !== count) found.push(`courses have ${those} rows that '${does}', the table ${count}`);
  }
  return found;
}

/** Checks the result shown at the end. */
function result({ ended, messages, refused, rows }: Sent): string[] {
  const found: string[] = [];
  const named = new Set(refused.map(({ kind, row }) => `${kind} ${row}`));
  if (messages.length !== named.size)
    found.push(`the result names ${messages.length} rows, the LMS ${named.size}`);
  for (const { row, file } of messages)
    if (!refused.some((one) => one.row === row && (file === null || file.endsWith(`${one.kind}.csv`))))
      found.push(`the result names row ${row} of ${file}, the LMS does not`);
  // The LMS ignores rows of other root accounts, as the review says, and the result counts them as not applied.
  if (rows.some(({ cells }) => cells['root_account'])) return found;
  const clean = refused.length === 0;
  if (clean && ended.verdict !== 'done')
    found.push(`the result is ${ended.verdict}, and the LMS took every row`);
  if (!clean && ended.verdict === 'done') found.push('the result is done, and the LMS refused rows');
  const failed = rows.filter(({ does }) => does === 'fails').length;
  if (ended.applied !== null && failed === 0 && clean && ended.applied !== ended.rows)
    found.push(`${ended.applied} rows of ${ended.rows} were applied`);
  return found;
}
