/** Rows of enrolments, place by place: each course is read while those before it are judged. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SisDoes, SisEffect } from '@lms-admin/domain/sis-effect';
import { type EnrolmentRow, enrolmentEffects, mayRemove } from '@lms-admin/domain/sis-effect/enrolments';
import { shown } from '@lms-admin/domain/sis-rows';
import { ahead } from './ahead.ts';
import { AT_ONCE } from './ask.ts';
import { judgeForeign, type OpenRow } from './foreign-rows.ts';
import { type Judging, named, put } from './judging.ts';
import { type Landing, landingsOf, type Place, type Where } from './landings.ts';
import type { RolesOfLms } from './roles.ts';
import type { KeptRow } from './sink.ts';

/** @param open rows of which nobody can say whom they mean */
export async function judgeEnrolments(
  judging: Judging,
  roles: RolesOfLms,
  open: readonly OpenRow[],
): Promise<void> {
  const { gathered } = judging;
  // Those that lose most come first.
  const places = [...gathered.places.values()].sort((a, b) => b.removing - a.removing);
  let judged = 0;
  for await (const landings of ahead(places, AT_ONCE, (place) => landingsOf(judging, place))) {
    for (const landing of landings) await judgeLanding(judging, roles, landing);
    judged += landings.reduce((sum, { rows }) => sum + rows.length, 0);
    judging.onJudged(judged);
    await nextTurn();
  }
  await judgeForeign(judging, open);
}

async function judgeLanding(judging: Judging, roles: RolesOfLms, landing: Landing): Promise<void> {
  const { tally, sink, made } = judging;
  const { place, where, from } = landing;
  const roleNames: string[] = [];
  const rows = landing.rows.map((one): EnrolmentRow => {
    const [, row, user, section, roleId, roleName, status, start, end, more] = one;
    const ids = roleId === '' ? roles.named(roleName) : [Number(roleId)];
    roleNames.push(roleName);
    return { row, user, roles: ids, section, status, start, end, more: more === 1 };
  });
  const held = heldIn(place, where);
  const effects = enrolmentEffects(rows, held);
  const begins = new Map<SisDoes, number>();
  const counts = new Map<SisDoes, number>();
  let taken = 0;
  for (const [at, effect] of effects.entries()) {
    const row = rows[at] as EnrolmentRow;
    const part = landing.rows[at]?.[0] ?? 0;
    // What moves in the same upload was somewhere else when the LMS was asked.
    const moves = made.unclear.has(row.section) || made.unclear.has(row.user);
    const judged: SisEffect = moves && effect.does !== 'fails' ? MOVES : effect;
    if (!begins.has(judged.does)) begins.set(judged.does, tally.rows('enrollment', judged.does));
    counts.set(judged.does, (counts.get(judged.does) ?? 0) + 1);
    taken += takes(judging, judged, row);
    await put(judging, 'enrollment', { part, row: row.row }, judged, personOf(place, row.user), {
      in: courseOf(place, where),
      section: sectionOf(place, row.section),
      role: (row.roles.length === 1 ? roles.label(row.roles[0] as number) : null) ?? (roleNames[at] || null),
    });
  }
  const course = courseOf(place, where);
  if (taken > 0 && course !== null) {
    const active =
      typeof place === 'object'
        ? place.holding.enrolments.filter(({ state }) => state === 'active').length
        : null;
    tally.course(course.id, course.name, taken, where.by === 'course' ? active : null);
  }
  await sink.course({
    of: course ?? named(where.id),
    term: typeof place === 'object' ? place.term : null,
    rows: rows.length,
    does: Object.fromEntries(counts),
    from: Object.fromEntries(begins),
  });
  note(judging, landing, rows, from);
}

const MOVES: SisEffect = {
  does: 'unknown',
  why: 'The section moves, or the person gets another login, by the same upload: it was not compared.',
};

/** How many enrolments a row takes away. */
function takes({ tally }: Judging, effect: SisEffect, row: EnrolmentRow): number {
  const dark = effect.does === 'unknown' && mayRemove(row);
  if (dark) tally.untold = true;
  if (!dark && !['removes', 'concludes', 'suspends'].includes(effect.does)) return 0;
  tally.take('enrollment');
  return 1;
}

function heldIn(place: Place, where: Where): Parameters<typeof enrolmentEffects>[1] {
  if (typeof place === 'string') return place === 'gone' ? 'missing' : place;
  return {
    name: `${where.by} ${shown(where.id)}`,
    enrolments: place.holding.enrolments,
    sections: place.sections,
    defaultSection: place.holding.defaultSection,
    exists: place.exists,
  };
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
    typeof place === 'object' ? place.holding.sections.find((one) => one.sisId === sisId) : undefined;
  return found ? `${found.name} (${sisId})` : sisId;
}

/** Sentences about rows that are carried out somewhere else than they seem. */
function note(
  { tally }: Judging,
  { place, where }: Landing,
  rows: readonly EnrolmentRow[],
  from: string | null,
): void {
  const these = (count: number, one: string, more: string) =>
    `${count.toLocaleString('en-GB')} ${count === 1 ? one : more}`;
  if (typeof place !== 'object') return;
  const { sisId, name } = place.course;
  if (from !== null) {
    tally.notes.push(
      `The section ${shown(where.id)} has been cross-listed from the course ${shown(from)} to ${name} (${shown(sisId)}): ${these(rows.length, 'row that names it is', 'rows that name it are')} carried out there.`,
    );
    return;
  }
  const open = rows.filter(({ section }) => section === '').length;
  if (
    where.by === 'section' ||
    place.course.id === null ||
    place.holding.defaultSection !== null ||
    open === 0
  )
    return;
  tally.notes.push(
    `The course ${shown(where.id)} shows no default section of its own: ${these(open, 'row without section_id', 'rows without section_id')} may be carried out in another course. Name one of its sections in the column section_id.`,
  );
}
