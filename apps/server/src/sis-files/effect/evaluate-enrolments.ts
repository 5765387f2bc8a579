/** Evaluates rows of enrolments place by place: each course is read while those before it are evaluated. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { counted } from '@lms-admin/domain/numbers';
import { begins, type SisDoes } from '@lms-admin/domain/sis-effect';
import { enrolmentEffects, mayRemove } from '@lms-admin/domain/sis-effect/enrolments';
import type { EnrolmentEffect, EnrolmentRow } from '@lms-admin/domain/sis-effect/held-place';
import { shown } from '@lms-admin/domain/sis-rows';
import { type Answer } from '../../canvas/resources/reading.ts';
import { ahead } from './ahead.ts';
import { AT_ONCE } from './ask.ts';
import type { FoundCourse } from './courses.ts';
import { type EndingLinks, endingLinks, linkKey } from './ending-links.ts';
import { type EnrolmentTarget, type Place, targetOf } from './enrolment-targets.ts';
import { type Evaluation, named, noteConcluded, put, removes } from './evaluation.ts';
import { evaluateForeign, type OpenRow } from './foreign-rows.ts';
import { type FoundPlace, numbersOf } from './landed-place.ts';
import { countPerhapsLeft, leftGroups } from './left-groups.ts';
import type { RolesOfLms } from './roles.ts';
import type { KeptRow } from './sink.ts';
import { rowKey, spotsOf, type Where } from './spots.ts';
import { broughtIn, noteNewDefaults, noteTarget } from './target-notes.ts';

/** @param open rows whose people could not be determined */
export async function evaluateEnrolments(
  evaluation: Evaluation,
  roles: RolesOfLms,
  open: readonly OpenRow[],
): Promise<void> {
  const spots = await spotsOf(evaluation);
  const links = endingLinks(evaluation);
  let judged = 0;
  for await (const target of ahead(spots, AT_ONCE, (spot) => targetOf(evaluation, spot, roles))) {
    await evaluateTarget(evaluation, roles, target, links);
    judged += target.rows.length;
    evaluation.onEvaluated(judged);
    await nextTurn();
  }
  await evaluateForeign(evaluation, open);
  noteObservers(evaluation);
  noteNewDefaults(evaluation);
}

/** Notes observers who are enrolled together with students, without a row of their own. */
function noteObservers({ tally, observers, uploadRows }: Evaluation): void {
  const { observersComing: coming } = tally;
  const ends = [...uploadRows.of('user_observer')].some(({ cell }) => removes('user_observer', cell));
  if (coming > 0)
    tally.notes.push(
      `${counted(coming, 'enrolment')} of observers ${coming === 1 ? 'is' : 'are'} also added or made active again, because the LMS links these people to students in the file.${ends ? LINKS_DELETED : ''}`,
    );
  tally.observersUnknown = observers.unknown.size > 0;
  if (observers.unknown.size > 0)
    tally.notes.push(
      `LMS Admin does not know the observers of ${counted(observers.unknown.size, 'student')} who ${observers.unknown.size === 1 ? 'is' : 'are'} added to a course. Any linked observers are enrolled too.`,
    );
}

const LINKS_DELETED =
  ' Rows of user_observers in this upload delete links. Those observers leave these courses when the upload ends, but they are counted here.';

async function evaluateTarget(
  evaluation: Evaluation,
  roles: RolesOfLms,
  target: EnrolmentTarget,
  links: EndingLinks,
): Promise<void> {
  const { tally, sink } = evaluation;
  const { place, where } = target;
  const roleNames: string[] = [];
  const rows = target.rows.map((one): EnrolmentRow => {
    const [part, row, user, section, roleId, roleName, status, start, end, more, associated, limit] = one;
    const ids = roleId === '' ? roles.named(roleName) : [Number(roleId)];
    roleNames.push(roleName);
    const file = evaluation.fileOf(part);
    const student = roles.mayObserve(ids) ? associated : '';
    return { row, file, user, roles: ids, section, status, start, end, more: more === 1, student, limit };
  });
  const { effects, after } = enrolmentEffects(rows, target.gone ?? heldIn(evaluation, target, roles));
  const begins = new Map<SisDoes, number>();
  const counts = new Map<SisDoes, number>();
  const groups = await leftGroups(evaluation, place, effects);
  const into = await courseInto(evaluation, place);
  const ending = rows.some(({ student }) => student !== '') ? await links() : NO_LINKS;
  for (const [at, evaluated] of effects.entries()) {
    const row = rows[at] as EnrolmentRow;
    const part = target.rows[at]?.[0] ?? 0;
    const plain = endsByOther(evaluation, place, row, evaluated, ending);
    const { effect, takes } = groups.end(plain, numberOf(place, row.user));
    if (!begins.has(effect.does)) begins.set(effect.does, tally.rows('enrollment', effect.does));
    counts.set(effect.does, (counts.get(effect.does) ?? 0) + 1);
    tally.observersComing += effect.joining?.length ?? 0;
    if (plain.does === 'unknown' && !plain.repeats && mayRemove(row))
      tally.uncompared('enrollment', 1 + (plain.observers ?? 0));
    if (typeof place === 'object') noteJoined(evaluation, place, row, effect, roles);
    if (typeof place === 'object' && (effect.does === 'creates' || effect.does === 'restores'))
      noteConcluded(evaluation, place.course.sisId, into, namedBy(target, part, row.row));
    await put(evaluation, 'enrollment', { part, row: row.row }, effect, personOf(place, row.user), {
      in: courseOf(place, where),
      section: sectionOf(place, row.section || broughtIn(place)),
      role: (row.roles.length === 1 ? roles.label(row.roles[0] as number) : null) ?? (roleNames[at] || null),
      takes,
    });
  }
  const course = courseOf(place, where);
  if (typeof place === 'object') {
    countEnded(evaluation, place, after);
    await countPerhapsLeft(evaluation, place, rows, effects);
  }
  countNamed(evaluation, target);
  await sink.course({
    of: course ?? named(where.id),
    term: typeof place === 'object' ? place.term : null,
    rows: rows.length,
    does: Object.fromEntries(counts),
    from: Object.fromEntries(begins),
  });
  noteTarget(evaluation, target, rows, effects);
}

/**
 * Returns the effect of a row whose course an earlier row may delete, or whose observer loses the link to the student
 * through a later row.
 */
function endsByOther(
  { uploadState }: Evaluation,
  place: Place,
  row: EnrolmentRow,
  effect: EnrolmentEffect,
  ending: ReadonlySet<string>,
): EnrolmentEffect {
  if (typeof place !== 'object' || effect.does === 'fails' || effect.does === 'unknown') return effect;
  const stays = !begins(row.status, 'deleted') || begins(row.status, 'deleted_last');
  if (stays && uploadState.mayBeGone(place.course.sisId))
    return { ...effect, does: 'unknown', why: [PERHAPS_DELETED, effect.why ?? []].flat().join(' ') };
  const [observer, student] = [row.user, row.student].map((user) => numberOf(place, user));
  const ends = row.student !== '' && ending.has(linkKey(observer ?? null, student ?? null));
  return ends && ['creates', 'restores', 'changes'].includes(effect.does)
    ? { ...effect, does: 'nothing', why: ENDS_WITH_LINK }
    : effect;
}

const NO_LINKS: ReadonlySet<string> = new Set();
const PERHAPS_DELETED =
  'An earlier row of this upload may delete the course. If it does, the LMS rejects this row.';
const ENDS_WITH_LINK =
  'A row of user_observers in this upload deletes the link to this student, and the enrolment ends with it.';

/** Records the person whom a row enrols, or may enrol or remove, and whether it makes them an active student. */
function noteJoined(
  { courseEnrolments, uploadState }: Evaluation,
  { course, people }: FoundPlace,
  row: EnrolmentRow,
  { does, why, perhapsLeaves = [], joining = [] }: EnrolmentEffect,
  roles: RolesOfLms,
): void {
  const { comings } = courseEnrolments;
  const numberOfPerson = people.get(row.user)?.id ?? null;
  const person = String(numberOfPerson ?? uploadState.personOf(row.user));
  for (const observer of joining) comings.join(course, String(observer), does !== 'unknown', numberOfPerson);
  if (does === 'unknown' && begins(row.status, 'deleted'))
    for (const one of [person, ...perhapsLeaves.map(String)]) comings.perhapsLeaves(course, one);
  const created = does === 'creates' || why === ENDS_WITH_LINK;
  if (!created && does !== 'unknown') return;
  const student = row.student === '' ? null : (people.get(row.student)?.id ?? null);
  comings.join(course, person, created, student);
  const [role] = row.roles;
  if (does === 'creates' && begins(row.status, 'active') && role !== undefined && roles.isStudent(role))
    courseEnrolments.joinAsStudent(course, person);
}

/** Returns the course that rows affect: one that they affect only through its sections is looked up here. */
async function courseInto({ courses }: Evaluation, place: Place): Promise<Answer<FoundCourse>> {
  if (typeof place !== 'object') return 'missing';
  const { id, sisId } = place.course;
  const named = courses.of(sisId);
  return typeof named === 'object' || id === null ? named : courses.byNumber(id);
}

/**
 * Returns the course that a row names, if the section of the row has been cross-listed to another course, which the
 * row affects.
 */
function namedBy({ away }: EnrolmentTarget, part: number, row: number): string | undefined {
  return away.find(({ keys }) => keys.has(rowKey(part, row)))?.from;
}

/** Counts a course and its people, by whichever id the rows name them. */
function countNamed({ tally, courses }: Evaluation, { place, where }: EnrolmentTarget): void {
  const held = where.by === 'course' ? courses.of(where.id) : null;
  const number = typeof place === 'object' ? place.course.id : null;
  tally.places.add(number ?? (typeof held === 'object' ? held?.id : null) ?? `${where.by} ${where.id}`);
  if (typeof place === 'object') for (const [user, { id }] of place.people) tally.numbers.set(user, id);
}

/** Counts the enrolments that rows end, and records the known figures of their course. */
function countEnded({ tally }: Evaluation, place: FoundPlace, after: ReadonlyMap<number, string>): void {
  const { losses } = tally;
  const { course, holding } = place;
  for (const one of holding.enrolments) {
    const state = after.get(one.id);
    if (state !== undefined) losses.setEnrolment(one, state);
  }
  if (course.id !== null)
    losses.describe(course.id, {
      sisId: course.sisId || null,
      ...(course.name ? { name: course.name } : {}),
    });
}

function heldIn(
  { tally }: Evaluation,
  { place, where, perhapsAway }: EnrolmentTarget,
  roles: RolesOfLms,
): Parameters<typeof enrolmentEffects>[1] {
  if (typeof place === 'string') return place === 'gone' ? 'unread' : place;
  const { losses } = tally;
  // The state after earlier tables and other places of the course.
  const now = place.holding.enrolments.map((one) => ({ ...one, state: losses.stateOf(one) }));
  return {
    name: `${where.by} ${shown(where.id)}`,
    enrolments: now.filter(({ state }) => state !== 'deleted'),
    ended: now.filter(({ state }) => state === 'deleted'),
    sections: place.sections,
    goneSections: numbersOf(place.holding.gone),
    defaultSection: place.holding.defaultSection,
    maybeDefault: place.holding.maybeDefault,
    perhapsAway,
    restored: place.restored,
    exists: place.exists,
    byDeletedLogin: place.byDeletedLogin,
    mayBeFormer: place.mayBeFormer,
    called: place.called,
    hadLogin: place.hadLogin,
    observersOf: (student) => {
      const known = place.observers.get(student);
      return known === undefined ? NOBODY : known;
    },
    userIdOf: (user) => place.people.get(user)?.id ?? null,
    isStudent: roles.isStudent,
  };
}

const NOBODY: ReadonlySet<number> = new Set();

function numberOf(place: Place, user: string): number | null {
  return typeof place === 'object' ? (place.people.get(user)?.id ?? null) : null;
}

function personOf(place: Place, user: string): KeptRow['of'] {
  const known = typeof place === 'object' ? place.people.get(user) : undefined;
  return known ? named(user, known.name, `users/${known.id}`) : named(user);
}

function courseOf(place: Place, where: Where): KeptRow['in'] {
  if (typeof place === 'object') {
    const { id, sisId, name } = place.course;
    return named(sisId, name, id === null ? null : `courses/${id}`);
  }
  return where.by === 'course' ? named(where.id) : null;
}

function sectionOf(place: Place, sisId: string): string | null {
  if (sisId === '') return null;
  const found =
    typeof place === 'object'
      ? [...place.holding.sections, ...place.holding.gone].find((one) => one.sisId === sisId)
      : undefined;
  return found ? `${found.name} (${sisId})` : sisId;
}
