/** The sandbox as the review predicts it: the snapshot before, with every row of the review applied. */
import { ONLY_BETWEEN_DATES } from '@lms-admin/domain/sis-effect/date-limits';
import { parseDate } from '@lms-admin/sandbox/canvas/sis/csv/dates';
import type { AnnouncedRow } from './drive.ts';
import { type Fields, isGone, type Thing } from './snapshot.ts';
import { type Both, placeOf, subjectOf } from './subject.ts';

/** States of new and restored objects. */
const STATE: Partial<Record<string, string>> = {
  course: 'unpublished',
  group: 'available',
  group_membership: 'accepted',
};

/** Kinds of which the LMS does not show deleted objects: if restored, they look new. */
const UNSEEN: ReadonlySet<string> = new Set(['enrollment', 'group_membership', 'user_observer']);

/** Columns that the review shows as an object's place. */
const SHOWN_AS_PLACE: Partial<Record<string, string>> = {
  group: 'group_category_id',
  group_category: 'course_id',
  section: 'course_id',
};

function placeColumn(kind: string, cells: AnnouncedRow['cells']): string | undefined {
  if (kind === 'group_category' && cells['account_id']) return 'account_id';
  // The LMS chooses the category of a group whose row names none.
  if (kind === 'group' && !cells['group_category_id']) return undefined;
  return SHOWN_AS_PLACE[kind];
}

const DATE = /\b(start|end)_date$/;

/** Returns whether two values are the same, because one value can be written in several ways. */
export function sameValue(
  field: string,
  a: string | null | undefined,
  b: string | null | undefined,
): boolean {
  const [one, other] = [a ?? '', b ?? ''];
  if (one === other) return true;
  return DATE.test(field) && one !== '' && other !== '' && parseDate(one) === parseDate(other);
}

export class Model {
  readonly #both: Both;
  readonly #now = new Map<string, Fields>();
  /** Objects changed by a row. Others may be removed with something else, and are counted with it. */
  readonly #acted = new Set<string>();
  /** Objects deleted by rows: other values that these rows set stay as they set them. */
  readonly #deleted = new Set<string>();
  /** Courses deleted by rows so far. */
  readonly #ended = new Set<string>();
  /** Objects that the review calls unknown. */
  readonly unknown = new Set<string>();
  /** New objects, with the fields shown. */
  readonly made = new Map<string, Set<string>>();
  readonly found: string[] = [];

  readonly #notes: readonly string[];

  constructor(both: Both & { effect: { notes: readonly string[] } }) {
    this.#both = both;
    this.#notes = both.effect.notes;
  }

  get touched(): ReadonlyMap<string, Fields> {
    return this.#now;
  }

  /** Applies a row as the review shows it. */
  apply(row: AnnouncedRow): void {
    const { kind, does, cells } = row;
    const subject = subjectOf(kind, cells, this.#both);
    if (does === 'unknown') {
      if (subject === null) return;
      for (const column of ['', ...Object.keys(cells)])
        this.unknown.add(placeOf(kind, subject, column, this.#both).key);
      return;
    }
    if (does === 'nothing' && kind === 'term' && subject !== null) this.#unseen(row, subject);
    // The new membership ends again with a link, so the row only ends others.
    const again = /deletes a link of this observer/.test(row.why ?? '');
    if (does === 'fails' || does === 'nothing' || again) {
      // Another check covers objects that are created anyway.
      if (subject !== null && this.#both.before.get(subject)) this.#fields(subject);
      return;
    }
    if (subject === null) {
      this.#wrong(row, 'there is no such thing, neither before nor after');
      return;
    }
    const now = this.#fields(subject);
    this.#acted.add(subject);
    const there = now['status'] != null && now['status'] !== 'deleted';
    const before = UNSEEN.has(kind) && !there ? null : now['status'];
    // A hidden deleted object may be restored. Then the review says so.
    const gone = before === 'deleted' || isGone(this.#both.before.get(`course ${now['course']}`));
    const said = kind === 'user' ? this.#notes.join(' ') : (row.why ?? '');
    const back = gone && /restores/.test(said);
    if (does === 'creates' && before != null && !back) this.#wrong(row, `it was there (${before})`);
    const saysGone =
      /this upload deletes it, and it stays deleted|is deleted and stays deleted|is already deleted/.test(
        row.why ?? '',
      );
    // The result of an uncertain earlier row is unknown.
    const may = saysGone || this.unknown.has(subject);
    if (does !== 'creates' && does !== 'restores' && kind !== 'change_sis_id' && !there && !may)
      this.#wrong(row, 'it was not there');
    if (does === 'creates' && !this.made.has(subject)) this.made.set(subject, new Set());
    for (const [column, from, to] of row.fields) this.#field(row, subject, column, from, to);
    const place = placeColumn(kind, cells);
    if (does === 'creates' && place && row.in) this.#field(row, subject, place, null, row.in.id);
    // A cross-listed section returns to its own course.
    const was = this.#both.before.get(subject);
    const holder = this.#both.before.get(`course ${was?.fields['course']}`);
    const home = this.#both.before.bySis('course', cells['course_id'] ?? '');
    const listed = kind === 'section' && back && was?.fields['home'] === String(home?.id) && !isGone(holder);
    if (listed && /the section stays cross-listed/.test(said))
      now['course_id'] = was.fields['course_id'] ?? null;
    this.#unseen(row, subject);
    if (kind === 'xlist') {
      this.#restored(row);
      return;
    }
    if (does === 'deletes') {
      this.#deleted.add(subject);
      if (kind === 'user') this.#deleted.add(placeOf(kind, subject, 'full_name', this.#both).key);
    }
    const status = statusOf(row, now);
    if (status !== null) now['status'] = status;
    if (does === 'concludes') this.#conclude(subject);
    if (does === 'deletes' && kind === 'course') this.#endIn(subject);
  }

  /** Describes effects that the LMS does not show, in texts. */
  #unseen({ kind, does, why }: AnnouncedRow, subject: string): void {
    const [, integrationId] = /The integration_id is set to "([^"]+)"\./.exec(why ?? '') ?? [];
    // The LMS shows the dates of a deleted section, but not whether they limit access.
    if (kind === 'section' && does === 'restores')
      this.#fields(subject)[ONLY_BETWEEN_DATES] = this.#limitOf(subject);
    if (kind !== 'user' && kind !== 'term') return;
    if (integrationId) this.#fields(subject)['integration_id'] = integrationId;
    const [, userType] = /The declared_user_type is set to "([^"]+)"\./.exec(why ?? '') ?? [];
    if (userType) this.#fields(subject)['declared_user_type'] = userType;
    if (/The declared_user_type is removed/.test(why ?? ''))
      this.#fields(subject)['declared_user_type'] = null;
    if (/the row clears it/.test(why ?? '')) this.#fields(subject)['integration_id'] = null;
  }

  #limitOf(section: string): string | null {
    return this.#both.after.get(section)?.fields[ONLY_BETWEEN_DATES] ?? null;
  }

  /** Restores the course of a cross-listing. Its state is not shown. */
  #restored({ why, cells }: AnnouncedRow): void {
    const { before, after } = this.#both;
    const id = cells['xlist_course_id'] ?? '';
    if (!why?.includes(`The course "${id}" is deleted: the LMS restores it`)) return;
    const course = after.bySis('course', id) ?? before.bySis('course', id);
    if (course) this.#fields(course.key)['status'] = after.get(course.key)?.fields['status'] ?? null;
  }

  /** Ends active enrolments when their course is concluded; rows of later tables find them ended. */
  #conclude(course: string): void {
    for (const one of this.#both.before.of('enrollment')) {
      if (`course ${one.fields['course']}` !== course || one.fields['status'] !== 'active') continue;
      this.#fields(one.key)['status'] = 'completed';
    }
  }

  /** Ends enrolments with their course. A later row can restore the course, but not them. */
  #endIn(course: string): void {
    this.#ended.add(course);
    for (const [key, fields] of this.#now)
      if (key.startsWith('enrollment ') && `course ${fields['course']}` === course)
        fields['status'] = 'deleted';
  }

  #field(row: AnnouncedRow, subject: string, column: string, from: string | null, to: string | null): void {
    // A term's dates apply to one type of enrolment if the row says so.
    const kind = row.cells['date_override_enrollment_type'];
    const place = placeOf(row.kind, subject, kind ? `${kind} ${column}` : column, this.#both);
    const now = this.#fields(place.key);
    const made = this.made.has(subject);
    // An object without an SIS ID is shown as having none.
    const nameless = from === null && now[place.field]?.startsWith('#');
    if (!made && !nameless && !sameValue(place.field, now[place.field], from))
      this.#wrong(row, `${column} is ${JSON.stringify(now[place.field])} before`);
    // The section is back in its own course, so the review names none.
    if (row.kind === 'xlist' && to !== null) now['home'] ??= now['course'] ?? null;
    now[place.field] = row.kind === 'xlist' && to === null ? homeOf(now, this.#both) : to;
    if (made) this.made.set(place.key, new Set([...(this.made.get(place.key) ?? []), place.field]));
  }

  #fields(key: string): Fields {
    const held = this.#now.get(key) ?? this.#fieldsBefore(key);
    this.#now.set(key, held);
    return held;
  }

  #fieldsBefore(key: string): Fields {
    const thing = this.#both.before.get(key);
    const hasEnded = thing?.kind === 'enrollment' && this.#ended.has(`course ${thing.fields['course']}`);
    return { ...thing?.fields, ...(hasEnded ? { status: 'deleted' } : {}) };
  }

  #wrong({ kind, row, does, fields, cells }: AnnouncedRow, what: string): void {
    this.found.push(
      `${kind} row ${row} '${does}' ${JSON.stringify(fields)} of ${JSON.stringify(cells)}: ${what}`,
    );
  }

  /** Compares the predicted state with the actual one. */
  compare(): string[] {
    const found = [...this.found];
    for (const [key, fields] of this.#now) {
      if (this.unknown.has(key)) continue;
      const thing = this.#both.after.get(key);
      if (isGone(thing)) {
        if (this.#acted.has(key) && fields['status'] != null && fields['status'] !== 'deleted')
          found.push(`${key} ${said(fields)} is gone`);
        else if (thing && this.#deleted.has(key))
          found.push(...this.#differences(key, fields, thing, AS_GONE));
        continue;
      }
      if (fields['status'] === 'deleted' || fields['status'] == null) {
        if (thing?.kind !== 'person')
          found.push(`${key} ${said(thing?.fields)} is there, and the review says that it is not`);
        continue;
      }
      if (thing)
        found.push(...this.#differences(key, fields, thing, thing.kind === 'person' ? STATUS : NONE));
    }
    return found;
  }

  /** @param but fields that are not compared */
  #differences(key: string, fields: Fields, thing: Thing, but: ReadonlySet<string>): string[] {
    return Object.entries(thing.fields).flatMap(([field, value]) => {
      if (DERIVED.has(field) || but.has(field) || sameValue(field, fields[field], value)) return [];
      const told = this.made.get(key);
      if (told && !told.has(field) && isDefault(field, value, thing.fields)) return [];
      return `${key} ${said(thing.fields)}: ${field} is ${JSON.stringify(value)}, not ${JSON.stringify(fields[field] ?? null)}`;
    });
  }
}

const NONE: ReadonlySet<string> = new Set();
const STATUS: ReadonlySet<string> = new Set(['status']);
/** A removed object shows no state, and no address. */
const AS_GONE: ReadonlySet<string> = new Set(['status', 'email']);

/** Returns the SIS ID of a section's original course. */
function homeOf({ home }: Fields, { before, after }: Both): string | null {
  const course = after.get(`course ${home}`) ?? before.get(`course ${home}`);
  return course?.fields['sis_id'] ?? null;
}

/** Derived fields, which are compared with the fields from which they follow. */
const DERIVED = new Set([
  'like',
  'course',
  'home',
  'default_section',
  'place',
  'section',
  'user',
  'role',
  'associated',
  'group',
  'observer',
  'student',
]);

/** Returns whether the LMS fills in this value if a new object does not set any. */
function isDefault(field: string, value: string | null, fields: Fields): boolean {
  if (value === null || value === 'false' || value === '{}' || field === 'sis_id') return true;
  // A new object gets this value together with its dates.
  if (field === ONLY_BETWEEN_DATES)
    return value === 'no' || fields['start_date'] != null || fields['end_date'] != null;
  if (field === 'short_name') return value === fields['full_name'];
  return value.startsWith('#');
}

const said = (fields: Fields | undefined): string =>
  JSON.stringify(fields?.['sis_id'] ?? fields?.['full_name'] ?? fields ?? null);

function statusOf({ kind, does, fields }: AnnouncedRow, now: Fields): string | null {
  const given = fields.findLast(([column]) => column === 'status')?.[2];
  if (given) return given;
  if (does === 'deletes' || does === 'removes') return 'deleted';
  if (does === 'concludes') return 'completed';
  if (does === 'suspends') return kind === 'enrollment' ? 'inactive' : 'suspended';
  if (does === 'creates' || does === 'restores') return STATE[kind] ?? 'active';
  return now['status'] ?? null;
}
