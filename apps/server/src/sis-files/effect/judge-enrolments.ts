/** Rows of enrolments, place by place: each course is read while those before it are judged. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { begins, type SisDoes } from '@lms-admin/domain/sis-effect';
import { enrolmentEffects, mayRemove } from '@lms-admin/domain/sis-effect/enrolments';
import type { EnrolmentEffect, EnrolmentRow } from '@lms-admin/domain/sis-effect/held-place';
import { shown } from '@lms-admin/domain/sis-rows';
import { z } from 'zod';
import { answered, pages } from '../../canvas/resources/reading.ts';
import { counted } from '../../platform/text.ts';
import { ahead } from './ahead.ts';
import { AT_ONCE, id } from './ask.ts';
import { judgeForeign, type OpenRow } from './foreign-rows.ts';
import { type Judging, named, noteConcluded, put, removes } from './judging.ts';
import { type FoundPlace, numbersOf } from './landed-place.ts';
import { type Landing, landingOf, type Place } from './landings.ts';
import type { RolesOfLms } from './roles.ts';
import type { KeptRow } from './sink.ts';
import { spotsOf, type Where } from './spots.ts';

/** @param open rows of which nobody can say whom they mean */
export async function judgeEnrolments(
  judging: Judging,
  roles: RolesOfLms,
  open: readonly OpenRow[],
): Promise<void> {
  const spots = await spotsOf(judging);
  let judged = 0;
  for await (const landing of ahead(spots, AT_ONCE, (spot) => landingOf(judging, spot, roles))) {
    await judgeLanding(judging, roles, landing);
    judged += landing.rows.length;
    judging.onJudged(judged);
    await nextTurn();
  }
  await judgeForeign(judging, open);
  noteObservers(judging);
}

/** Observers who come in with students: no row names them. */
function noteObservers({ tally, observers, gathered }: Judging): void {
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
  ' Rows of user_observers of the same upload delete links: those observers leave these courses again at the end of it, and are counted here all the same.';

async function judgeLanding(judging: Judging, roles: RolesOfLms, landing: Landing): Promise<void> {
  const { tally, sink } = judging;
  const { place, where } = landing;
  const roleNames: string[] = [];
  const rows = landing.rows.map((one): EnrolmentRow => {
    const [, row, user, section, roleId, roleName, status, start, end, more, student, limit] = one;
    const ids = roleId === '' ? roles.named(roleName) : [Number(roleId)];
    roleNames.push(roleName);
    return { row, user, roles: ids, section, status, start, end, more: more === 1, student, limit };
  });
  const { effects, after } = enrolmentEffects(rows, landing.gone ?? heldIn(judging, landing, roles));
  const begins = new Map<SisDoes, number>();
  const counts = new Map<SisDoes, number>();
  const groups = await groupNames(judging, effects, place);
  for (const [at, effect] of effects.entries()) {
    const row = rows[at] as EnrolmentRow;
    const part = landing.rows[at]?.[0] ?? 0;
    if (!begins.has(effect.does)) begins.set(effect.does, tally.rows('enrollment', effect.does));
    counts.set(effect.does, (counts.get(effect.does) ?? 0) + 1);
    tally.observersComing += effect.joins ?? 0;
    if (effect.does === 'unknown' && !effect.repeats && mayRemove(row)) tally.uncompared('enrollment');
    if (typeof place === 'object' && (effect.does === 'creates' || effect.does === 'unknown'))
      judging.courseEnrolments.join(
        place.course,
        String(place.people.get(row.user)?.id ?? judging.made.whose(row.user)),
      );
    if (typeof place === 'object' && (effect.does === 'creates' || effect.does === 'restores'))
      noteConcluded(judging, place.course.sisId);
    await put(judging, 'enrollment', { part, row: row.row }, effect, personOf(place, row.user), {
      in: courseOf(place, where),
      section: sectionOf(place, row.section || broughtIn(place)),
      role: (row.roles.length === 1 ? roles.label(row.roles[0] as number) : null) ?? (roleNames[at] || null),
      takes: alsoEnded(judging, effect, place, groups),
    });
  }
  const course = courseOf(place, where);
  if (typeof place === 'object') {
    countEnded(judging, place, after);
    await countPerhapsLeft(judging, place, rows, effects);
  }
  countNamed(judging, landing);
  await sink.course({
    of: course ?? named(where.id),
    term: typeof place === 'object' ? place.term : null,
    rows: rows.length,
    does: Object.fromEntries(counts),
    from: Object.fromEntries(begins),
  });
  note(judging, landing, rows);
}

/** Counts a course and its people, by whichever of their ids rows name them. */
function countNamed({ tally, courses }: Judging, { place, where }: Landing): void {
  const held = where.by === 'course' ? courses.of(where.id) : null;
  const number = typeof place === 'object' ? place.course.id : null;
  tally.places.add(number ?? (typeof held === 'object' ? held?.id : null) ?? `${where.by} ${where.id}`);
  if (typeof place === 'object') for (const [user, { id }] of place.people) tally.numbers.set(user, id);
}

/** Counts the group memberships of people whom rows that were not compared may take out of the course. */
async function countPerhapsLeft(
  { courseEnrolments, tally }: Judging,
  { course, people }: FoundPlace,
  rows: readonly EnrolmentRow[],
  effects: readonly EnrolmentEffect[],
): Promise<void> {
  const leaving = new Set(
    rows.flatMap(({ user, status }, at) =>
      effects[at]?.does === 'unknown' && begins(status, 'deleted') ? (people.get(user)?.id ?? []) : [],
    ),
  );
  const read = leaving.size === 0 || course.id === null ? [] : await courseEnrolments.read(course.id);
  const perhaps = new Set(
    (typeof read === 'string' ? [] : read).flatMap(({ userId, groups }) =>
      (leaving.has(userId) ? groups : [])
        .filter((group) => !tally.losses.hasEnded(group, userId))
        .map((group) => `${group} ${userId}`),
    ),
  );
  if (perhaps.size > 0) tally.uncompared('group_membership', perhaps.size);
}

/** Counts the enrolments that rows end, and what is known of their course. */
function countEnded({ tally }: Judging, place: FoundPlace, after: ReadonlyMap<number, string>): void {
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

/** Names of the groups that people leave with their enrolments; empty where nobody does. */
async function groupNames(
  { asking }: Judging,
  effects: readonly EnrolmentEffect[],
  place: Place,
): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  if (typeof place === 'string' || place.course.id === null) return names;
  const leaving = new Set(effects.flatMap(({ leaves }) => leaves ?? []));
  if (!place.holding.enrolments.some(({ userId, groups }) => leaving.has(userId) && groups.length > 0))
    return names;
  const { id: courseId } = place.course;
  await answered(asking, async () => {
    for await (const { data } of pages(asking, `courses/${courseId}/groups`, groupOfCourse))
      for (const { id, name } of data) names.set(id, name);
  });
  return names;
}

const groupOfCourse = z.object({ id, name: z.string() });

/** Ends the group memberships of people who leave the course. @returns them, and the observers who leave too, in words */
function alsoEnded(
  { tally }: Judging,
  { leaves = [], observers = 0 }: EnrolmentEffect,
  place: Place,
  names: ReadonlyMap<number, string>,
): string | null {
  if (typeof place === 'string') return null;
  const left: string[] = [];
  for (const user of leaves) {
    const held = place.holding.enrolments.find(({ userId }) => userId === user);
    for (const group of held?.groups ?? [])
      if (tally.losses.endMembership(group, user, held?.courseId ?? null))
        left.push(names.get(group) ?? String(group));
  }
  const groups =
    left.length === 0 ? [] : [`${left.length === 1 ? 'the group' : 'the groups'} ${left.join(', ')}`];
  const words = [...groups, ...(observers > 0 ? [`with ${counted(observers, 'observer')}`] : [])];
  if (words.length === 0) return null;
  return left.length === 0 ? (words[0] ?? null) : `leaves ${words.join(', ')}`;
}

function heldIn(
  { tally }: Judging,
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

/** SIS id of a section in which rows without one land, since the upload brings it into the course. */
const broughtIn = (place: Place): string => (typeof place === 'object' && place.holding.broughtIn) || '';

function sectionOf(place: Place, sisId: string): string | null {
  if (sisId === '') return null;
  const found =
    typeof place === 'object'
      ? [...place.holding.sections, ...place.holding.gone].find((one) => one.sisId === sisId)
      : undefined;
  return found ? `${found.name} (${sisId})` : sisId;
}

/** Sentences about rows that are carried out somewhere else than they seem. */
function note({ tally }: Judging, { place, where, away }: Landing, rows: readonly EnrolmentRow[]): void {
  const these = (count: number, one: string, more: string) =>
    `${count.toLocaleString('en-GB')} ${count === 1 ? one : more}`;
  if (typeof place !== 'object') return;
  const { sisId, name } = place.course;
  for (const { section, from, rows: count, byDefault } of away)
    tally.notePlace(
      byDefault
        ? `The course ${shown(from)} has no default section any more, since sections of it are cross-listed: ${these(count, 'row without section_id is', 'rows without section_id are')} carried out in its section ${shown(section)}, which is in ${name} (${shown(sisId)}). Name a section in the column section_id to decide it.`
        : `The section ${shown(section)} has been cross-listed from the course ${shown(from)} to ${name} (${shown(sisId)}): ${these(count, 'row that names it is', 'rows that name it are')} carried out there.`,
    );
  const open = rows.filter(({ section }) => section === '').length;
  const into = broughtIn(place);
  if (into !== '' && open > 0) {
    tally.notePlace(
      `The section ${shown(into)} comes into the course ${shown(sisId)} by this upload while no other one is in it, so the LMS takes it for the default section: ${these(open, 'row without section_id is', 'rows without section_id are')} carried out in it. These people go with it if it is moved or its cross-listing ends. Name a section in the column section_id to decide it.`,
    );
    return;
  }
  if (place.restored && open > 0) {
    tally.notePlace(
      `The course ${shown(sisId)} was deleted and is restored by this upload, and the LMS does not show whether its default section comes back with it. If it does not, the LMS creates a new section, named after the course, for ${these(open, 'row', 'rows')} without section_id.`,
    );
    return;
  }
  if (
    where.by === 'section' ||
    place.course.id === null ||
    place.holding.defaultSection !== null ||
    open === 0
  )
    return;
  const { sections, maybeDefault } = place.holding;
  const perhaps = sections.filter(({ id }) => maybeDefault.has(id));
  // Those with a SIS id are hardly ever the default one.
  tally.notePlace(
    perhaps.some(({ sisId, crossListed }) => sisId === null || crossListed)
      ? `LMS Admin cannot tell which section of the course ${shown(where.id)} is its default section: ${these(open, 'row without section_id lands', 'rows without section_id land')} in it. If there is none, the LMS creates one, named after the course. Name a section in the column section_id to decide it.`
      : `The course ${shown(where.id)} has no default section: the LMS creates a new section, named after the course, for ${these(open, 'row without section_id', 'rows without section_id')}. If its default section was cross-listed or has a SIS id, that one is used. Name a section in the column section_id to decide it.`,
  );
}
