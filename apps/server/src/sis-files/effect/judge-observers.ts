/** Rows of observers: who follows whom from course to course. */
import { type Cells, fails, isLive, type SisEffect } from '@lms-admin/domain/sis-effect';
import { shown } from '@lms-admin/domain/sis-rows';
import { counted } from '../../platform/text.ts';
import { FEW } from './ask.ts';
import { endEnrolments } from './course-enrolments.ts';
import { grouped } from './gathered.ts';
import { heldIn } from './groups-of-lms.ts';
import { enrolmentsOf, type FoundEnrolment } from './holdings.ts';
import { count, type Judging, named, put, removes } from './judging.ts';

export async function judgeObservers(judging: Judging): Promise<void> {
  const { gathered, people, made } = judging;
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
      const links = await judging.observers.of(student.id);
      linked = typeof links === 'string' ? undefined : links.has(observer.id);
    } else linked ??= ids.every((id) => there(id) === true) ? false : undefined;
    const same = (observer?.id ?? made.whose(ids[0])) === (student?.id ?? made.whose(ids[1]));
    const effect =
      same && ids[0] !== '' ? fails('student_id', ONESELF) : observerEffect(cell, missing, linked);
    if (effect.does === 'creates' || effect.does === 'removes') here.set(key, effect.does === 'creates');
    if (effect.does === 'creates') judging.tally.losses.keep('user_observer', key);
    // A link that an earlier row of the file creates is not lost.
    if (effect.does !== 'removes' || !judging.tally.newLinks.has(key))
      count(judging, 'user_observer', effect, key, removes('user_observer', cell));
    if (effect.does === 'creates') judging.tally.newLinks.add(key);
    const takes =
      effect.does === 'removes' && observer && student
        ? await endPlaces(judging, observer.id, student.id)
        : null;
    // Each costs several questions.
    const follows = (effect.does === 'creates' || effect.does === 'nothing') && student && observer;
    const into = follows
      ? ++asked <= FEW
        ? await enrolledAgain(judging, observer.id, student.id)
        : 'unread'
      : null;
    const told = into === null ? effect : withEnrolled(effect, into, removes('user_observer', cell));
    const person = (id: string, found: typeof observer) =>
      named(id, found?.name ?? null, found ? `users/${found.id}` : null);
    await put(judging, 'user_observer', at, told, person(ids[0], observer), {
      in: person(ids[1], student),
      takes,
    });
  }
}

const ONESELF = 'Both SIS ids belong to one person. Nobody can observe themselves.';

/** @param missing SIS id that nobody has. @param linked whether they are; undefined where that is not known */
function observerEffect(cell: Cells, missing: string | undefined, linked: boolean | undefined): SisEffect {
  const [observer, student, status] = [cell('observer_id'), cell('student_id'), cell('status') ?? ''];
  if (!observer || !student)
    return { does: 'fails', why: `The ${observer ? 'student_id' : 'observer_id'} is missing.` };
  if (!/^(?:active|deleted)$/i.test(status))
    return { does: 'fails', why: `The status should be active or deleted, not ${shown(status)}.` };
  if (missing !== undefined)
    return { does: 'fails', why: `Nobody in the LMS has the SIS id ${shown(missing)}.` };
  if (linked === undefined)
    return { does: 'unknown', why: 'The LMS did not answer when asked who observes the student.' };
  if (/^deleted$/i.test(status))
    return linked
      ? { does: 'removes', why: 'The observer leaves the courses of the student.' }
      : { does: 'fails', why: 'The observer is not linked to this student.' };
  return linked
    ? { does: 'nothing', why: 'The observer is linked to this student already.' }
    : { does: 'creates', why: 'The observer is enrolled in the courses of the student.' };
}

/** What a row that links an observer does beside the link. */
interface EnrolledAgain {
  /** Courses in which the student is now. */
  courses: number;
  /** In how many of them the observer of the row gets another enrolment than now. */
  own: number;
  /** Other observers of the student who get one. */
  others: string[];
}

/** The LMS gives every observer of the student the state that the student has, in every course. */
async function enrolledAgain(
  { asking, tally, observers }: Judging,
  observer: number,
  student: number,
): Promise<EnrolledAgain | 'unread'> {
  const stateOf = (one: FoundEnrolment) => tally.losses.stateOf(one);
  const all = await enrolmentsOf(asking, `users/${student}`);
  const links = await observers.of(student);
  if (typeof all === 'string' || typeof links === 'string') return 'unread';
  const { services, admin, signal } = asking;
  const live: FoundEnrolment[] = [];
  for (const one of all)
    if (isLive(stateOf(one)) && (await services.roles.isStudent(admin.token, one.roleId, signal)))
      live.push(one);
  const courses = new Set(live.map(({ courseId }) => courseId)).size;
  if (live.length === 0) return { courses, own: 0, others: [] };
  const changed = new Map<number, Set<number>>();
  for (const each of new Set([observer, ...links])) {
    const theirs = await enrolmentsOf(asking, `users/${each}`);
    if (typeof theirs === 'string') return 'unread';
    const here = theirs.filter((one) => one.observes === student);
    for (const place of live) {
      const held = here.find(({ sectionId }) => sectionId === place.sectionId);
      if (held ? stateOf(held) === stateOf(place) : stateOf(place) !== 'active') continue;
      changed.set(each, (changed.get(each) ?? new Set<number>()).add(place.courseId));
    }
  }
  const others = [...changed.keys()].filter((one) => one !== observer);
  return {
    courses,
    own: changed.get(observer)?.size ?? 0,
    others: others.map((one) => observers.names.get(one) ?? String(one)),
  };
}

/** The effect with the enrolments of observers that come with it. */
function withEnrolled(effect: SisEffect, into: EnrolledAgain | 'unread', removing: boolean): SisEffect {
  if (removing) return effect;
  if (into === 'unread') return { ...effect, why: `${effect.why} ${NOT_READ}` };
  const { courses, own, others } = into;
  const isNew = effect.does === 'creates';
  const again = `The LMS gives the observer the student’s state in ${counted(own, 'course')} again.`;
  const now =
    courses === 0
      ? 'The student is in no course now.'
      : `The student is in ${counted(courses, 'course')} now.`;
  const also = `The LMS does the same for other observers of the student, who are not in all of these courses, or not with the student’s state: ${others.join(', ')}.`;
  return {
    ...effect,
    does: !isNew && own + others.length > 0 ? 'restores' : effect.does,
    why: [effect.why ?? [], isNew ? now : own > 0 ? again : [], others.length > 0 ? also : []]
      .flat()
      .join(' '),
  };
}

const NOT_READ =
  'LMS Admin could not find out in which courses observers of the student are enrolled again: the LMS enrols all of them where the student is.';

/** Ends the places of an observer in the courses of a student. @returns them in words */
async function endPlaces(
  { asking, tally }: Judging,
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
