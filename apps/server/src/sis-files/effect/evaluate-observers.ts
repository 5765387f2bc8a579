/** Evaluates rows of observers: which observers follow which students from course to course. */
import { counted } from '@lms-admin/domain/numbers';
import { type Cells, fails, isLive, type SisEffect } from '@lms-admin/domain/sis-effect';
import { shown } from '@lms-admin/domain/sis-rows';
import { listed } from '../../platform/text.ts';
import { FEW } from './ask.ts';
import { type Ended, endEnrolments, endedWords } from './course-enrolments.ts';
import { type CourseRef, courseKey } from './course-ref.ts';
import { count, type Evaluation, named, put, removes } from './evaluation.ts';
import { heldIn } from './groups-of-lms.ts';
import { enrolmentsOf, type FoundEnrolment } from './holdings.ts';
import { grouped } from './upload-rows.ts';

export async function evaluateObservers(evaluation: Evaluation): Promise<void> {
  const { uploadRows, people, uploadState } = evaluation;
  if (uploadRows.count('user_observer') === 0) return;
  const rows = [...uploadRows.of('user_observer')];
  const byId = await people.byId(
    rows.flatMap(({ cell }) => [cell('observer_id') ?? [], cell('student_id') ?? []].flat()),
  );
  const here = new Map<string, boolean>();
  /** Links that existed before the rows. */
  const before = new Set<string>();
  /** Enrolments that rows add through new links. */
  const added = new Map<string, number>();
  let lookups = 0;
  for (const { cell, ...at } of rows) {
    const ids = [cell('observer_id') ?? '', cell('student_id') ?? ''] as const;
    const there = (id: string) =>
      uploadState.has('user', id) ?? (byId(id) === 'unread' ? null : byId(id) !== 'missing');
    const [observer, student] = ids.map((id) => uploadState.people.get(id) ?? heldIn(byId(id)));
    const missing = ids.find((id) => there(id) === false);
    const key = JSON.stringify([observer?.id ?? ids[0], student?.id ?? ids[1]]);
    let linked = here.get(key);
    if (linked === undefined && student && observer) {
      const links = await evaluation.observers.of(student.id);
      linked = typeof links === 'string' ? undefined : links.has(observer.id);
      if (linked) before.add(key);
    } else linked ??= ids.every((id) => there(id) === true) ? false : undefined;
    const same =
      (observer?.id ?? uploadState.personOf(ids[0])) === (student?.id ?? uploadState.personOf(ids[1]));
    const effect =
      same && ids[0] !== '' ? fails('student_id', ONESELF) : observerEffect(cell, missing, linked);
    if (effect.does === 'creates' || effect.does === 'removes') here.set(key, effect.does === 'creates');
    if (effect.does === 'creates') evaluation.tally.losses.keep('user_observer', key);
    // Removing a link that an earlier row created is not a loss.
    if (effect.does !== 'removes' || !evaluation.tally.newLinks.has(key))
      count(evaluation, 'user_observer', effect, key, removes('user_observer', cell));
    const note = effect.does === 'creates' && before.has(key);
    if (effect.does === 'creates' && !note) evaluation.tally.newLinks.add(key);
    if (note && observer && student) await restorePlaces(evaluation, observer.id, student.id);
    const takes =
      effect.does === 'removes' && observer && student
        ? await endPlaces(evaluation, observer.id, student.id)
        : null;
    // New links need several requests each.
    const isNew = effect.does === 'creates';
    const follows = isNew || (effect.does === 'nothing' && student && observer);
    const into = follows
      ? !(student && observer) || ++lookups <= FEW
        ? await observerEnrolments(
            evaluation,
            observer?.id ?? null,
            student?.id ?? null,
            isNew
              ? evaluation.courseEnrolments.newPlacesOf(String(student?.id ?? uploadState.personOf(ids[1])))
              : [],
            // An earlier row may delete the link.
            (other) => here.get(JSON.stringify([other, student?.id])) !== false,
          )
        : 'unread'
      : null;
    if (isNew) countLinked(evaluation, into);
    if (isNew && into !== null && into !== 'unread') added.set(key, into.enrolments);
    // A later row may delete the link again.
    if (effect.does === 'removes') {
      evaluation.tally.observersLinked -= added.get(key) ?? 0;
      added.delete(key);
    }
    const linkedNow: SisEffect = note ? { does: 'restores', why: LINKED_AGAIN } : effect;
    const withEnrolments =
      into === null ? effect : withEnrolled(linkedNow, into, removes('user_observer', cell));
    const person = (id: string, found: typeof observer) =>
      named(id, found?.name ?? null, found ? `users/${found.id}` : null);
    await put(evaluation, 'user_observer', at, withEnrolments, person(ids[0], observer), {
      in: person(ids[1], student),
      takes,
    });
  }
  noteLinked(evaluation);
}

const LINKED_AGAIN =
  'An earlier row of this upload deletes the link, and this row restores it: the observer returns to the courses in which the student takes part, but not to groups.';
const ONESELF = 'Both SIS IDs belong to one person. People cannot observe themselves.';

/** @param missing the unknown SIS ID, if any @param linked whether the two are linked; undefined if not known */
function observerEffect(cell: Cells, missing: string | undefined, linked: boolean | undefined): SisEffect {
  const [observer, student, status] = [cell('observer_id'), cell('student_id'), cell('status') ?? ''];
  if (!observer || !student)
    return { does: 'fails', why: `The ${observer ? 'student_id' : 'observer_id'} is missing.` };
  if (!/^(?:active|deleted)$/i.test(status))
    return { does: 'fails', why: `The status should be active or deleted, not ${shown(status)}.` };
  if (missing !== undefined)
    return { does: 'fails', why: `No person in the LMS has the SIS ID ${shown(missing)}.` };
  if (linked === undefined)
    return { does: 'unknown', why: 'The LMS did not answer when asked who observes the student.' };
  if (/^deleted$/i.test(status))
    return linked
      ? { does: 'removes', why: 'The observer leaves the student’s courses.' }
      : { does: 'fails', why: 'The observer is not linked to this student.' };
  return linked
    ? { does: 'nothing', why: 'The observer is already linked to this student.' }
    : { does: 'creates', why: 'The observer is enrolled in the student’s courses.' };
}

/** Further effects of a row that links an observer. */
interface ObserverEnrolments {
  /** Names of the courses that the student is in after the earlier rows. */
  courses: string[];
  /** Enrolments that the row's observer gets, or that become active again. */
  enrolments: number;
  /** Number of courses in which the row changes the observer's enrolment. */
  own: number;
  /** Other observers of the student who get an enrolment. */
  others: string[];
}

/**
 * Finds the enrolments of observers: the LMS gives every observer of the student the state that the student has, in
 * every course.
 * @param observer null for a person created by the same upload; the student may be one too
 * @param coming courses of the places that rows of the same upload give the student, where the link is new
 * @param isLinked whether an observer whom the LMS links to the student still is
 */
async function observerEnrolments(
  evaluation: Evaluation,
  observer: number | null,
  student: number | null,
  coming: readonly CourseRef[],
  isLinked: (other: number) => boolean,
): Promise<ObserverEnrolments | 'unread'> {
  const { tally, observers } = evaluation;
  const stateOf = (one: FoundEnrolment) => tally.losses.stateOf(one);
  const live = student === null ? [] : await livePlaces(evaluation, student);
  const links = student === null ? new Set<number>() : await observers.of(student);
  if (typeof live === 'string' || typeof links === 'string') return 'unread';
  const placeOf = (one: FoundEnrolment) => placeNow(evaluation, one);
  const courses = [...new Set([...live.map(placeOf), ...coming].map(courseName))];
  if (live.length === 0) return { courses, enrolments: coming.length, own: 0, others: [] };
  const changed = new Map<number | null, Set<number>>();
  let enrolments = coming.length;
  for (const each of new Set([observer, ...[...links].filter(isLinked)])) {
    const theirs = each === null ? [] : await enrolmentsOf(evaluation.asking, `users/${each}`);
    if (typeof theirs === 'string') return 'unread';
    const here = theirs.filter((one) => one.observes === student);
    for (const place of live) {
      const held = here.find(({ sectionId }) => sectionId === place.sectionId);
      if (held ? stateOf(held) === stateOf(place) : stateOf(place) !== 'active') continue;
      if (each === observer && !(held && isLive(stateOf(held)))) enrolments++;
      // An earlier row may have ended the enrolment.
      if (held) tally.losses.setEnrolment(held, stateOf(place));
      changed.set(each, (changed.get(each) ?? new Set<number>()).add(place.courseId));
    }
  }
  const others = [...changed.keys()].flatMap((one) => (one === observer || one === null ? [] : one));
  return {
    courses,
    enrolments,
    own: changed.get(observer)?.size ?? 0,
    others: others.map((one) => observers.names.get(one) ?? String(one)),
  };
}

/** Returns the course of an enrolment after the rows that move sections. */
const placeNow = (
  { courseEnrolments }: Evaluation,
  { sectionId, courseId, courseSisId }: FoundEnrolment,
): CourseRef => courseEnrolments.moves.get(sectionId)?.to ?? { id: courseId, sisId: courseSisId ?? '' };

const courseName = ({ id, sisId }: CourseRef): string => (sisId === '' ? `number ${id}` : shown(sisId));

/** Finds the active enrolments of a student after the earlier rows. */
async function livePlaces(
  { asking, tally }: Evaluation,
  student: number,
): Promise<FoundEnrolment[] | 'unread'> {
  const all = await enrolmentsOf(asking, `users/${student}`);
  if (typeof all === 'string') return 'unread';
  const { services, admin, signal } = asking;
  const live: FoundEnrolment[] = [];
  for (const one of all)
    if (
      isLive(tally.losses.stateOf(one)) &&
      (await services.roles.isStudent(admin.token, one.roleId, signal))
    )
      live.push(one);
  return live;
}

/** Adds the enrolments of observers to the effect. */
function withEnrolled(effect: SisEffect, into: ObserverEnrolments | 'unread', removing: boolean): SisEffect {
  if (removing) return effect;
  if (into === 'unread') return { ...effect, why: `${effect.why} ${NOT_READ}` };
  const { courses, enrolments, own, others } = into;
  const isNew = effect.does === 'creates' || effect.does === 'restores';
  const note = `The LMS restores the enrolment of the observer in ${counted(own, 'course')}, with the same state as the student.`;
  const then =
    courses.length === 0
      ? 'The student is in no course after this upload.'
      : `The student is in ${counted(courses.length, 'course')} after this upload: ${listed(courses)}.${enrolments === 0 ? '' : ` The LMS therefore adds ${counted(enrolments, 'enrolment')} for the observer.`}`;
  const also = `The LMS does the same for ${others.length === 1 ? 'this other observer' : 'these other observers'}, whose enrolments are missing or have a different state from the student’s: ${others.join(', ')}.`;
  return {
    ...effect,
    does: !isNew && own + others.length > 0 ? 'restores' : effect.does,
    why: [effect.why ?? [], isNew ? then : own > 0 ? note : [], others.length > 0 ? also : []]
      .flat()
      .join(' '),
  };
}

function countLinked({ tally }: Evaluation, into: ObserverEnrolments | 'unread' | null): void {
  if (into === 'unread') tally.observersUncounted = true;
  else tally.observersLinked += into?.enrolments ?? 0;
}

/** Notes observers who are enrolled through links of the upload, without rows of enrolments. */
function noteLinked({ tally }: Evaluation): void {
  const { observersLinked: coming, observersUncounted: more } = tally;
  if (coming > 0)
    tally.notes.push(
      `${more ? 'At least ' : ''}${counted(coming, 'enrolment')} of observers ${coming === 1 ? 'is' : 'are'} also added, because this upload links these people to students, and the LMS enrols them in the students’ courses.`,
    );
}

const NOT_READ =
  'LMS Admin could not check in which courses observers of the student are enrolled again. The LMS enrols all of them in the student’s courses.';

/** Restores an observer's enrolments that an earlier row ended, if the student is active, as the LMS does. */
async function restorePlaces(evaluation: Evaluation, observer: number, student: number): Promise<void> {
  const { losses } = evaluation.tally;
  const [live, theirs] = await Promise.all([
    livePlaces(evaluation, student),
    enrolmentsOf(evaluation.asking, `users/${observer}`),
  ]);
  if (typeof live === 'string' || typeof theirs === 'string') return;
  for (const place of live)
    for (const one of theirs)
      if (one.observes === student && one.sectionId === place.sectionId)
        losses.setEnrolment(one, losses.stateOf(place));
}

/** Ends an observer's enrolments in the courses of a student. @returns a description of them */
async function endPlaces(evaluation: Evaluation, observer: number, student: number): Promise<string | null> {
  const { asking, tally } = evaluation;
  const all = await enrolmentsOf(asking, `users/${observer}`);
  if (typeof all === 'string') {
    tally.untold = true;
    return 'with enrolments that could not be counted';
  }
  const ends: Ended = { enrolments: 0, members: 0 };
  for (const courseEnrolments of grouped(all, ({ courseId }) => String(courseId)).values()) {
    const ended = endEnrolments(
      tally.losses,
      courseEnrolments,
      courseEnrolments.filter(({ observes }) => observes === student),
      'deleted',
    );
    ends.enrolments += ended.enrolments;
    ends.members += ended.members;
    const [first] = courseEnrolments;
    if (first) tally.losses.describe(first.courseId, { sisId: first.courseSisId });
  }
  const placeOf = (one: FoundEnrolment) => courseKey(placeNow(evaluation, one));
  const inside = new Set(all.flatMap((one) => (tally.losses.stateOf(one) === 'deleted' ? [] : placeOf(one))));
  evaluation.courseEnrolments.comings.endLink(String(observer), student, all.map(placeOf), (course) =>
    inside.has(course),
  );
  const what = endedWords(ends);
  return what && `${what} of the observer`;
}
