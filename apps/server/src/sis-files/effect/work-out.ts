/** Works out what the rows of a stored file do: read once, the LMS asked as cheaply as it goes, judged table by table. */
import type { SisFile } from '@lms-admin/contract/sis-files';
import { MANY_TAKEN, TAKEN_SHARE } from '@lms-admin/domain/sis-effect/brake';
import { DISSOCIATE } from '@lms-admin/domain/sis-effect/courses';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';
import { walked } from '../../canvas/resources/reading.ts';
import type { Db } from '../../platform/database.ts';
import type { ImportFile } from '../../platform/schema.ts';
import { AccountGroups } from './account-groups.ts';
import { type Asking, FEW, id } from './ask.ts';
import { CourseEnrolments } from './course-enrolments.ts';
import { CourseMembers } from './course-members.ts';
import { AccountsAndTerms, CoursesOfLms } from './courses.ts';
import { evaluateEnrolments } from './evaluate-enrolments.ts';
import { evaluateGroups } from './evaluate-groups.ts';
import { evaluateChangedIds } from './evaluate-ids.ts';
import { evaluateObservers } from './evaluate-observers.ts';
import { evaluatePeople } from './evaluate-people.ts';
import { evaluatePlaces } from './evaluate-places.ts';
import { type Evaluation, Made } from './evaluation.ts';
import { withForeign } from './foreign-rows.ts';
import { type Gathered, gather } from './gathered.ts';
import { describeCourses } from './losing-courses.ts';
import { ObserverLinks } from './observers.ts';
import { PeopleOfLms } from './people.ts';
import { refusalsOf } from './refusals.ts';
import { renamedLms } from './renamed-lms.ts';
import { rolesOf } from './roles.ts';
import { NO_SINK, type Sink } from './sink.ts';
import { Tally } from './tally.ts';

/** People of enrolments from which on the list of everybody is read: fewer are mostly shown by their courses. */
const MANY_PEOPLE = 10 * FEW;

export interface Upload {
  file: Pick<SisFile, 'id' | 'parts' | 'rows' | 'zip'>;
  files: readonly ImportFile[];
}

export interface Options {
  /** Only rows that may take something away are looked at, and counted. */
  onlyTaking?: boolean;
  sink?: Sink;
  onStep?: (step: EffectStep) => void;
}

/** How far it is. */
export interface EffectStep {
  doing: 'reading' | 'asking' | 'comparing';
  done: number;
  total: number;
}

/** What was worked out, beside the rows themselves. */
export interface Worked {
  tally: Tally;
  courses: number;
  people: number;
}

/** @throws CanvasError when the admin's token is refused; the signal's reason */
export async function workOut(
  asking: Asking,
  db: Db,
  { file, files }: Upload,
  options: Options = {},
): Promise<Worked> {
  const { onlyTaking = false, sink = NO_SINK, onStep = () => {} } = options;
  const total = file.rows;
  const gathered = await gather(db, file, files, onlyTaking, asking.signal, (done) =>
    onStep({ doing: 'reading', done, total }),
  );
  onStep({ doing: 'asking', done: 0, total });
  let before = 0;
  let latest = 0;
  const tally = new Tally();
  const made = new Made();
  const onEvaluated = (rows: number) => {
    // Each table counts its own.
    if (rows < latest) before += latest;
    latest = rows;
    onStep({ doing: 'comparing', done: Math.min(before + rows, total), total });
  };
  // Someone may have been deleted a moment ago: the list of former people is read for this comparison.
  const since = Date.now();
  const fileOf = (part: number) => (file.zip ? (file.parts[part]?.name ?? null) : null);
  const evaluationBy = (by: Asking, renamed = false): Evaluation => {
    const around = new AccountsAndTerms(by);
    const courseEnrolments = new CourseEnrolments(by);
    return {
      asking: by,
      gathered,
      sink,
      around,
      accountGroups: new AccountGroups(by, around),
      tally,
      made,
      people: new PeopleOfLms(by, { since, renamed }),
      courses: new CoursesOfLms(by, around),
      refusals: {},
      courseEnrolments,
      courseMembers: new CourseMembers(by, courseEnrolments),
      observers: new ObserverLinks(by),
      fileOf,
      onEvaluated,
    };
  };
  // Ids that change in the same upload are not those that the LMS knows now.
  const ids = await evaluateChangedIds(evaluationBy(asking));
  const evaluation = evaluationBy(ids.some ? renamedLms(asking, ids) : asking, ids.some);
  await evaluateAll(evaluation);
  await describeCourses(evaluation);
  tally.notes.push(...tally.endedByDates.notes(), ...tally.concludedNotes());
  for (const kind of ['user', 'course'] as const) {
    const taken = tally.losses.count(kind);
    if (taken > 0) tally.there.set(kind, await thereAre(evaluation, kind, taken));
  }
  const named = new Set([...peopleNamed(gathered).ids, ...gathered.users]);
  const people = new Set([...named].map((user) => tally.numbers.get(user) ?? made.whose(user)));
  return { tally, courses: tally.places.size, people: people.size };
}

async function evaluateAll(evaluation: Evaluation): Promise<void> {
  const { asking, gathered, people, courses } = evaluation;
  const { ids, logins } = peopleNamed(gathered);
  await people.prepare(ids, logins);
  const open = await withForeign(evaluation);
  gathered.settle();
  await courses.prepare(coursesNamed(gathered), gathered.count('course') > 0);
  asking.signal.throwIfAborted();
  evaluation.refusals = await refusalsOf(evaluation);
  await evaluatePlaces(evaluation);
  await evaluatePeople(evaluation);
  await evaluateEnrolments(evaluation, await rolesOf(asking, gathered), open);
  await evaluateGroups(evaluation);
  await evaluateObservers(evaluation);
}

function peopleNamed(gathered: Gathered): { ids: Set<string>; logins: Set<string> } {
  const ids = new Set<string>();
  const logins = new Set<string>();
  const note = (kind: SisKind, columns: readonly string[]) => {
    for (const { cell } of gathered.of(kind))
      for (const column of columns) if (cell(column)) ids.add(cell(column) ?? '');
  };
  note('user', ['user_id']);
  note('login', ['user_id', 'existing_user_id']);
  note('group_membership', ['user_id']);
  note('user_observer', ['observer_id', 'student_id']);
  for (const { cell } of gathered.of('user')) logins.add((cell('login_id') ?? '').toLowerCase());
  if (gathered.users.size > MANY_PEOPLE) for (const user of gathered.users) ids.add(user);
  return { ids, logins };
}

function coursesNamed(gathered: Gathered): Set<string> {
  const ids = new Set<string>();
  for (const { by, id: course } of gathered.places.values()) if (by === 'course') ids.add(course);
  const columns = [
    ['course', 'course_id'],
    ['course', 'blueprint_course_id'],
    ['section', 'course_id'],
    ['xlist', 'xlist_course_id'],
    ['group_category', 'course_id'],
    ['group', 'course_id'],
  ] as const;
  for (const [kind, column] of columns) {
    for (const { cell } of gathered.of(kind)) if (cell(column)) ids.add(cell(column) ?? '');
  }
  ids.delete(DISSOCIATE);
  return ids;
}

/** How many people or courses there are; no further than it takes to know whether those that go are many of them. */
async function thereAre(
  { asking, people, courses }: Evaluation,
  kind: 'user' | 'course',
  taken: number,
): Promise<number | null> {
  const all = kind === 'user' ? people.all : courses.all;
  if (all !== null) return all;
  // Beyond it the number is asked for anyway.
  if (taken > MANY_TAKEN) return null;
  const enough = taken / TAKEN_SHARE;
  let seen = 0;
  const path = kind === 'user' ? 'accounts/1/users' : 'accounts/1/courses';
  const read = await walked(asking, path, z.object({ id }), [], Math.ceil(enough / 100) + 1, () => seen++);
  return read || seen >= enough ? seen : null;
}
