/** Determines the effect of a stored file: reads the file once, and makes as few calls to the LMS as possible. */
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
import { type Evaluation, UploadState } from './evaluation.ts';
import { withForeign } from './foreign-rows.ts';
import { describeCourses } from './losing-courses.ts';
import { ObserverLinks } from './observers.ts';
import { PeopleOfLms } from './people.ts';
import { refusalsOf } from './refusals.ts';
import { renamedLms } from './renamed-lms.ts';
import { rolesOf } from './roles.ts';
import { NO_SINK, type Sink } from './sink.ts';
import { Tally } from './tally.ts';
import { gather, type UploadRows } from './upload-rows.ts';

/** Number of people from which the list of all people is read; if there are fewer, their courses show most of them. */
const MANY_PEOPLE = 10 * FEW;

export interface Upload {
  file: Pick<SisFile, 'id' | 'parts' | 'rows' | 'zip'>;
  files: readonly ImportFile[];
}

export interface Options {
  /** Evaluates and counts only rows that may remove something. */
  onlyTaking?: boolean;
  sink?: Sink;
  onStep?: (step: EffectStep) => void;
}

/** Progress of the comparison. */
export interface EffectStep {
  doing: 'reading' | 'asking' | 'comparing';
  done: number;
  total: number;
}

/** Results besides the rows themselves. */
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
  const uploadRows = await gather(db, file, files, onlyTaking, asking.signal, (done) =>
    onStep({ doing: 'reading', done, total }),
  );
  onStep({ doing: 'asking', done: 0, total });
  let before = 0;
  let latest = 0;
  const tally = new Tally();
  const uploadState = new UploadState();
  const onEvaluated = (rows: number) => {
    // Each table starts its own count.
    if (rows < latest) before += latest;
    latest = rows;
    onStep({ doing: 'comparing', done: Math.min(before + rows, total), total });
  };
  // A person may have been deleted a moment ago: the list of former people is read again for this comparison.
  const since = Date.now();
  const fileOf = (part: number) => (file.zip ? (file.parts[part]?.name ?? null) : null);
  const evaluationBy = (by: Asking, renamed = false): Evaluation => {
    const around = new AccountsAndTerms(by);
    const courseEnrolments = new CourseEnrolments(by);
    return {
      asking: by,
      uploadRows,
      sink,
      around,
      accountGroups: new AccountGroups(by, around),
      tally,
      uploadState,
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
  // Ids that change in the same upload differ from the LMS's current ones.
  const ids = await evaluateChangedIds(evaluationBy(asking));
  const evaluation = evaluationBy(ids.some ? renamedLms(asking, ids) : asking, ids.some);
  await evaluateAll(evaluation);
  await describeCourses(evaluation);
  tally.notes.push(...tally.endedByDates.notes(), ...tally.concludedNotes());
  for (const kind of ['user', 'course'] as const) {
    const taken = tally.losses.count(kind);
    if (taken > 0) tally.there.set(kind, await thereAre(evaluation, kind, taken));
  }
  const named = new Set([...peopleNamed(uploadRows).ids, ...uploadRows.users]);
  const people = new Set([...named].map((user) => tally.numbers.get(user) ?? uploadState.personOf(user)));
  return { tally, courses: tally.places.size, people: people.size };
}

async function evaluateAll(evaluation: Evaluation): Promise<void> {
  const { asking, uploadRows, people, courses } = evaluation;
  const { ids, logins } = peopleNamed(uploadRows);
  await people.prepare(ids, logins);
  // Rows without an SIS ID may remove someone: their people are known only after the rows of people.
  if (uploadRows.rowsWithoutSisId.length === 0) uploadRows.settle();
  await courses.prepare(coursesNamed(uploadRows), uploadRows.count('course') > 0);
  asking.signal.throwIfAborted();
  evaluation.refusals = await refusalsOf(evaluation);
  await evaluatePlaces(evaluation);
  await evaluatePeople(evaluation);
  const open = await withForeign(evaluation);
  uploadRows.settle();
  await evaluateEnrolments(evaluation, await rolesOf(asking, uploadRows), open);
  const storeMembers = await evaluateGroups(evaluation);
  await evaluateObservers(evaluation);
  await storeMembers();
}

function peopleNamed(uploadRows: UploadRows): { ids: Set<string>; logins: Set<string> } {
  const ids = new Set<string>();
  const logins = new Set<string>();
  const note = (kind: SisKind, columns: readonly string[]) => {
    for (const { cell } of uploadRows.of(kind))
      for (const column of columns) if (cell(column)) ids.add(cell(column) ?? '');
  };
  note('user', ['user_id']);
  note('login', ['user_id', 'existing_user_id']);
  note('group_membership', ['user_id']);
  note('user_observer', ['observer_id', 'student_id']);
  for (const { cell } of uploadRows.of('user')) logins.add((cell('login_id') ?? '').toLowerCase());
  if (uploadRows.users.size > MANY_PEOPLE) for (const user of uploadRows.users) ids.add(user);
  return { ids, logins };
}

function coursesNamed(uploadRows: UploadRows): Set<string> {
  const ids = new Set<string>();
  for (const { by, id: course } of uploadRows.places.values()) if (by === 'course') ids.add(course);
  for (const at of uploadRows.rowsWithoutSisId) {
    const { course } = uploadRows.foreign.read(at);
    if (course !== '') ids.add(course);
  }
  const columns = [
    ['course', 'course_id'],
    ['course', 'blueprint_course_id'],
    ['section', 'course_id'],
    ['xlist', 'xlist_course_id'],
    ['group_category', 'course_id'],
    ['group', 'course_id'],
  ] as const;
  for (const [kind, column] of columns) {
    for (const { cell } of uploadRows.of(kind)) if (cell(column)) ids.add(cell(column) ?? '');
  }
  ids.delete(DISSOCIATE);
  return ids;
}

/** Counts people or courses, reading only as far as needed to determine the share that is removed. */
async function thereAre(
  { asking, people, courses }: Evaluation,
  kind: 'user' | 'course',
  taken: number,
): Promise<number | null> {
  const all = kind === 'user' ? people.all : courses.all;
  if (all !== null) return all;
  // Above this limit a confirmation is needed anyway.
  if (taken > MANY_TAKEN) return null;
  const enough = taken / TAKEN_SHARE;
  let seen = 0;
  const path = kind === 'user' ? 'accounts/1/users' : 'accounts/1/courses';
  const read = await walked(asking, path, z.object({ id }), [], Math.ceil(enough / 100) + 1, () => seen++);
  return read || seen >= enough ? seen : null;
}
