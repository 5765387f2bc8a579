/** Rows of enrolments, place by place: each course is read while those before it are judged. */

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
import { type Evaluation, named, noteConcluded, put, removes } from './evaluation.ts';
import { evaluateForeign, type OpenRow } from './foreign-rows.ts';
import { type FoundPlace, numbersOf } from './landed-place.ts';
import { broughtIn, noteLanding, noteNewDefaults } from './landing-notes.ts';
import { type Landing, landingOf, type Place } from './landings.ts';
import { countPerhapsLeft, leftGroups } from './left-groups.ts';
import type { RolesOfLms } from './roles.ts';
import type { KeptRow } from './sink.ts';
import { rowKey, spotsOf, type Where } from './spots.ts';

/** @param open rows of which no one can say whom they mean */
export async function evaluateEnrolments(
  evaluation: Evaluation,
  roles: RolesOfLms,
  open: readonly OpenRow[],
): Promise<void> {
  const spots = await spotsOf(evaluation);
  let judged = 0;
  for await (const landing of ahead(spots, AT_ONCE, (spot) => landingOf(evaluation, spot, roles))) {
    await evaluateLanding(evaluation, roles, landing);
    judged += landing.rows.length;
    evaluation.onEvaluated(judged);
    await nextTurn();
  }
  await evaluateForeign(evaluation, open);
  noteObservers(evaluation);
  noteNewDefaults(evaluation);
}

/** Observers who come in with students: no row names them. */
function noteObservers({ tally, observers, gathered }: Evaluation): void {
  const { observersComing: coming } = tally;
  const ends = [...gathered.of('user_observer')].some(({ cell }) => removes('user_observer', cell));
  if (coming > 0)
    tally.notes.push(
      `${counted(coming, 'enrolment')} of observers ${coming === 1 ? 'is' : 'are'} added or active again, too: the LMS links these people to students of the file.${ends ? ENDED_AGAIN : ''}`,
    );
  tally.observersUnknown = observers.unknown.size > 0;
  if (observers.unknown.size > 0)
    tally.notes.push(
      `Of ${counted(observers.unknown.size, 'student')} who ${observers.unknown.size === 1 ? 'comes' : 'come'} into a course LMS Admin does not know the observers: if they have linked ones, these are enrolled, too.`,
    );
}

const ENDED_AGAIN =
  ' Rows of user_observers of the same upload delete links: those observers leave these courses again at the end of it, but are counted here.';

async function evaluateLanding(evaluation: Evaluation, roles: RolesOfLms, landing: Landing): Promise<void> {
  const { tally, sink } = evaluation;
  const { place, where } = landing;
  const roleNames: string[] = [];
  const rows = landing.rows.map((one): EnrolmentRow => {
    const [part, row, user, section, roleId, roleName, status, start, end, more, student, limit] = one;
    const ids = roleId === '' ? roles.named(roleName) : [Number(roleId)];
    roleNames.push(roleName);
    const file = evaluation.fileOf(part);
    return { row, file, user, roles: ids, section, status, start, end, more: more === 1, student, limit };
  });
  const { effects, after } = enrolmentEffects(rows, landing.gone ?? heldIn(evaluation, landing, roles));
  const begins = new Map<SisDoes, number>();
  const counts = new Map<SisDoes, number>();
  const groups = await leftGroups(evaluation, place, effects);
  const into = await courseInto(evaluation, place);
  for (const [at, plain] of effects.entries()) {
    const row = rows[at] as EnrolmentRow;
    const part = landing.rows[at]?.[0] ?? 0;
    const { effect, takes } = groups.end(plain);
    if (!begins.has(effect.does)) begins.set(effect.does, tally.rows('enrollment', effect.does));
    counts.set(effect.does, (counts.get(effect.does) ?? 0) + 1);
    tally.observersComing += effect.joins ?? 0;
    if (plain.does === 'unknown' && !plain.repeats && mayRemove(row)) tally.uncompared('enrollment');
    if (typeof place === 'object') noteJoined(evaluation, place, row, effect, roles);
    if (typeof place === 'object' && (effect.does === 'creates' || effect.does === 'restores'))
      noteConcluded(evaluation, place.course.sisId, into, namedBy(landing, part, row.row));
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
  countNamed(evaluation, landing);
  await sink.course({
    of: course ?? named(where.id),
    term: typeof place === 'object' ? place.term : null,
    rows: rows.length,
    does: Object.fromEntries(counts),
    from: Object.fromEntries(begins),
  });
  noteLanding(evaluation, landing, rows, effects);
}

/** Notes whom a row enrols, or may, and whom as an active student. */
function noteJoined(
  { courseEnrolments, made }: Evaluation,
  { course, people }: FoundPlace,
  row: EnrolmentRow,
  { does }: EnrolmentEffect,
  roles: RolesOfLms,
): void {
  if (does !== 'creates' && does !== 'unknown') return;
  const person = String(people.get(row.user)?.id ?? made.whose(row.user));
  courseEnrolments.join(course, person);
  const [role] = row.roles;
  if (does === 'creates' && begins(row.status, 'active') && role !== undefined && roles.isStudent(role))
    courseEnrolments.joinAsStudent(course, person);
}

/** The course in which rows land: one that rows reach by its sections only is asked about here. */
async function courseInto({ courses }: Evaluation, place: Place): Promise<Answer<FoundCourse>> {
  if (typeof place !== 'object') return 'missing';
  const { id, sisId } = place.course;
  const named = courses.of(sisId);
  return typeof named === 'object' || id === null ? named : courses.byNumber(id);
}

/** The course that a row names, where a section of that one was cross-listed to the course in which the row lands. */
function namedBy({ away }: Landing, part: number, row: number): string | undefined {
  return away.find(({ keys }) => keys.has(rowKey(part, row)))?.from;
}

/** Counts a course and its people, by whichever of their ids rows name them. */
function countNamed({ tally, courses }: Evaluation, { place, where }: Landing): void {
  const held = where.by === 'course' ? courses.of(where.id) : null;
  const number = typeof place === 'object' ? place.course.id : null;
  tally.places.add(number ?? (typeof held === 'object' ? held?.id : null) ?? `${where.by} ${where.id}`);
  if (typeof place === 'object') for (const [user, { id }] of place.people) tally.numbers.set(user, id);
}

/** Counts the enrolments that rows end, and what is known of their course. */
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
  { place, where, perhapsAway }: Landing,
  roles: RolesOfLms,
): Parameters<typeof enrolmentEffects>[1] {
  if (typeof place === 'string') return place === 'gone' ? 'unread' : place;
  const { losses } = tally;
  // As the rows of the tables before, and of other places of the course, leave them.
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
