/** Rows of observers: who follows whom from course to course. */
import { counted } from '@lms-admin/domain/numbers';
import { type Cells, fails, isLive, type SisEffect } from '@lms-admin/domain/sis-effect';
import { shown } from '@lms-admin/domain/sis-rows';
import { listed } from '../../platform/text.ts';
import { FEW } from './ask.ts';
import { type CourseRef, endEnrolments } from './course-enrolments.ts';
import { count, type Evaluation, named, put, removes } from './evaluation.ts';
import { grouped } from './gathered.ts';
import { heldIn } from './groups-of-lms.ts';
import { enrolmentsOf, type FoundEnrolment } from './holdings.ts';

export async function evaluateObservers(evaluation: Evaluation): Promise<void> {
  const { gathered, people, made } = evaluation;
  if (gathered.count('user_observer') === 0) return;
  const rows = [...gathered.of('user_observer')];
  const byId = await people.byId(
    rows.flatMap(({ cell }) => [cell('observer_id') ?? [], cell('student_id') ?? []].flat()),
  );
  const here = new Map<string, boolean>();
  let asked = 0;
  for (const { cell, ...at } of rows) {
    const ids = [cell('observer_id') ?? '', cell('student_id') ?? ''] as const;
    const there = (id: string) =>
      made.has('user', id) ?? (byId(id) === 'unread' ? null : byId(id) !== 'missing');
    const [observer, student] = ids.map((id) => made.people.get(id) ?? heldIn(byId(id)));
    const missing = ids.find((id) => there(id) === false);
    const key = JSON.stringify([observer?.id ?? ids[0], student?.id ?? ids[1]]);
    let linked = here.get(key);
    if (linked === undefined && student && observer) {
      const links = await evaluation.observers.of(student.id);
      linked = typeof links === 'string' ? undefined : links.has(observer.id);
    } else linked ??= ids.every((id) => there(id) === true) ? false : undefined;
    const same = (observer?.id ?? made.whose(ids[0])) === (student?.id ?? made.whose(ids[1]));
    const effect =
      same && ids[0] !== '' ? fails('student_id', ONESELF) : observerEffect(cell, missing, linked);
    if (effect.does === 'creates' || effect.does === 'removes') here.set(key, effect.does === 'creates');
    if (effect.does === 'creates') evaluation.tally.losses.keep('user_observer', key);
    // A link that an earlier row of the file creates is not lost.
    if (effect.does !== 'removes' || !evaluation.tally.newLinks.has(key))
      count(evaluation, 'user_observer', effect, key, removes('user_observer', cell));
    if (effect.does === 'creates') evaluation.tally.newLinks.add(key);
    const takes =
      effect.does === 'removes' && observer && student
        ? await endPlaces(evaluation, observer.id, student.id)
        : null;
    // Each costs several questions.
    const isNew = effect.does === 'creates';
    const follows = isNew || (effect.does === 'nothing' && student && observer);
    const into = follows
      ? !(student && observer) || ++asked <= FEW
        ? await enrolledAgain(
            evaluation,
            observer?.id ?? null,
            student?.id ?? null,
            isNew ? evaluation.courseEnrolments.newPlacesOf(String(student?.id ?? made.whose(ids[1]))) : [],
          )
        : 'unread'
      : null;
    if (isNew) countLinked(evaluation, into);
    const told = into === null ? effect : withEnrolled(effect, into, removes('user_observer', cell));
    const person = (id: string, found: typeof observer) =>
      named(id, found?.name ?? null, found ? `users/${found.id}` : null);
    await put(evaluation, 'user_observer', at, told, person(ids[0], observer), {
      in: person(ids[1], student),
      takes,
    });
  }
  noteLinked(evaluation);
}

const ONESELF = 'Both SIS IDs belong to one person. People cannot observe themselves.';

/** @param missing SIS ID that no one has. @param linked whether they are; undefined where that is not known */
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
      ? { does: 'removes', why: 'The observer leaves the courses of the student.' }
      : { does: 'fails', why: 'The observer is not linked to this student.' };
  return linked
    ? { does: 'nothing', why: 'The observer is already linked to this student.' }
    : { does: 'creates', why: 'The observer is enrolled in the courses of the student.' };
}

/** What a row that links an observer does beside the link. */
interface EnrolledAgain {
  /** Courses in which the student is after the rows before, as people read them. */
  courses: string[];
  /** Enrolments that the observer of the row gets, or that become active again. */
  enrolments: number;
  /** In how many courses the observer of the row gets another enrolment than now. */
  own: number;
  /** Other observers of the student who get one. */
  others: string[];
}

/**
 * The LMS gives every observer of the student the state that the student has, in every course.
 * @param observer null for someone of the same upload, as the student may be
 * @param coming courses of the places that rows of the same upload give the student, where the link is new
 */
async function enrolledAgain(
  evaluation: Evaluation,
  observer: number | null,
  student: number | null,
  coming: readonly CourseRef[],
): Promise<EnrolledAgain | 'unread'> {
  const { tally, observers } = evaluation;
  const stateOf = (one: FoundEnrolment) => tally.losses.stateOf(one);
  const live = student === null ? [] : await livePlaces(evaluation, student);
  const links = student === null ? new Set<number>() : await observers.of(student);
  if (typeof live === 'string' || typeof links === 'string') return 'unread';
  const placeOf = ({ sectionId, courseId, courseSisId }: FoundEnrolment): CourseRef =>
    evaluation.courseEnrolments.moves.get(sectionId)?.to ?? { id: courseId, sisId: courseSisId ?? '' };
  const courses = [...new Set([...live.map(placeOf), ...coming].map(courseName))];
  if (live.length === 0) return { courses, enrolments: coming.length, own: 0, others: [] };
  const changed = new Map<number | null, Set<number>>();
  let enrolments = coming.length;
  for (const each of new Set([observer, ...links])) {
    const theirs = each === null ? [] : await enrolmentsOf(evaluation.asking, `users/${each}`);
    if (typeof theirs === 'string') return 'unread';
    const here = theirs.filter((one) => one.observes === student);
    for (const place of live) {
      const held = here.find(({ sectionId }) => sectionId === place.sectionId);
      if (held ? stateOf(held) === stateOf(place) : stateOf(place) !== 'active') continue;
      if (each === observer && !(held && isLive(stateOf(held)))) enrolments++;
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

const courseName = ({ id, sisId }: CourseRef): string => (sisId === '' ? `number ${id}` : shown(sisId));

/** The places of a student in which they take part after the rows before. */
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

/** The effect with the enrolments of observers that come with it. */
function withEnrolled(effect: SisEffect, into: EnrolledAgain | 'unread', removing: boolean): SisEffect {
  if (removing) return effect;
  if (into === 'unread') return { ...effect, why: `${effect.why} ${NOT_READ}` };
  const { courses, enrolments, own, others } = into;
  const isNew = effect.does === 'creates';
  const again = `The LMS gives the observer the student’s state in ${counted(own, 'course')} again.`;
  const then =
    courses.length === 0
      ? 'The student is in no course after this upload.'
      : `The student is in ${counted(courses.length, 'course')} after this upload: ${listed(courses)}. This adds ${counted(enrolments, 'enrolment')} of the observer.`;
  const also = `The LMS does the same for other observers of the student, who are not in all of these courses, or not with the student’s state: ${others.join(', ')}.`;
  return {
    ...effect,
    does: !isNew && own + others.length > 0 ? 'restores' : effect.does,
    why: [effect.why ?? [], isNew ? then : own > 0 ? again : [], others.length > 0 ? also : []]
      .flat()
      .join(' '),
  };
}

function countLinked({ tally }: Evaluation, into: EnrolledAgain | 'unread' | null): void {
  if (into === 'unread') tally.observersUncounted = true;
  else tally.observersLinked += into?.enrolments ?? 0;
}

/** Observers who come in by the links of the upload: no row of enrolments names them. */
function noteLinked({ tally }: Evaluation): void {
  const { observersLinked: coming, observersUncounted: more } = tally;
  if (coming > 0)
    tally.notes.push(
      `${more ? 'At least ' : ''}${counted(coming, 'enrolment')} of observers ${coming === 1 ? 'is' : 'are'} added, too: this upload links these people to students, and the LMS enrols them in the courses of the students.`,
    );
}

const NOT_READ =
  'LMS Admin could not find out in which courses observers of the student are enrolled again: the LMS enrols all of them where the student is.';

/** Ends the places of an observer in the courses of a student. @returns them in words */
async function endPlaces(
  { asking, tally }: Evaluation,
  observer: number,
  student: number,
): Promise<string | null> {
  const all = await enrolmentsOf(asking, `users/${observer}`);
  if (typeof all === 'string') {
    tally.untold = true;
    return 'with enrolments that could not be counted';
  }
  let enrolments = 0;
  for (const those of grouped(all, ({ courseId }) => String(courseId)).values()) {
    const ended = endEnrolments(
      tally.losses,
      those,
      those.filter(({ observes }) => observes === student),
      'deleted',
    );
    enrolments += ended.enrolments;
    const [first] = those;
    if (first) tally.losses.describe(first.courseId, { sisId: first.courseSisId });
  }
  return enrolments === 0 ? null : `with ${counted(enrolments, 'enrolment')} of the observer`;
}
