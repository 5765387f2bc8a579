/** Rows of observers: who follows whom from course to course. */
import type { Cells, SisEffect } from '@lms-admin/domain/sis-effect';
import { shown } from '@lms-admin/domain/sis-rows';
import { counted } from '../../platform/text.ts';
import { endEnrolments } from './course-enrolments.ts';
import { grouped } from './gathered.ts';
import { heldIn } from './groups-of-lms.ts';
import { enrolmentsOf } from './holdings.ts';
import { count, type Judging, named, put, removes } from './judging.ts';

export async function judgeObservers(judging: Judging): Promise<void> {
  const { gathered, people, made } = judging;
  if (gathered.count('user_observer') === 0) return;
  const rows = [...gathered.of('user_observer')];
  const byId = await people.byId(
    rows.flatMap(({ cell }) => [cell('observer_id') ?? [], cell('student_id') ?? []].flat()),
  );
  const here = new Map<string, boolean>();
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
    const effect = observerEffect(cell, missing, linked);
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
    await put(judging, 'user_observer', at, effect, named(ids[0], observer?.name ?? null), {
      in: named(ids[1], student?.name ?? null),
      takes,
    });
  }
}

/** @param missing SIS id that nobody has. @param linked whether they are; undefined where that is not known */
function observerEffect(cell: Cells, missing: string | undefined, linked: boolean | undefined): SisEffect {
  const [observer, student, status] = [cell('observer_id'), cell('student_id'), cell('status') ?? ''];
  if (!observer || !student)
    return { does: 'fails', why: `The ${observer ? 'student_id' : 'observer_id'} is missing.` };
  if (observer === student) return { does: 'fails', why: 'Nobody can observe themselves.' };
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
