/** Evaluates rows of group memberships: who joins a group, and which group they leave for it. */
import { fails, notFound, orRefused, type SisEffect } from '@lms-admin/domain/sis-effect';
import { shown } from '@lms-admin/domain/sis-rows';
import { type Evaluation, named, put, removes } from './evaluation.ts';
import { FoundGroups, type GroupsOfLms, type Presence } from './found-groups.ts';
import { heldIn, isThere, UNREAD } from './groups-of-lms.ts';
import { membersInCourse } from './refusals-groups.ts';
import type { CellsRow } from './upload-rows.ts';

/** A row with the person and the group that it refers to. */
interface Meant extends CellsRow {
  effect: SisEffect | null;
  /** Whether the row may remove something, if it was not compared. */
  counts: boolean;
  /** Position of the row among the rows that were recorded. */
  at: number;
  group: string;
  person: string;
  /** Whether the upload deletes the group. */
  gone: boolean;
}

/**
 * Evaluates the rows.
 * @returns a function that stores their results once the rows of observers are evaluated: an observer may lose a
 * group membership with a link
 */
export async function evaluateMembers(
  evaluation: Evaluation,
  known: GroupsOfLms,
): Promise<() => Promise<void>> {
  const { uploadRows, people, uploadState, tally, asking, courseEnrolments } = evaluation;
  if (uploadRows.count('group_membership') === 0) return async () => {};
  const rows = [...uploadRows.of('group_membership')];
  const byId = await people.byId(rows.flatMap(({ cell }) => cell('user_id') ?? []));
  const whoIs = (user: string) =>
    uploadState.people.get(user) ??
    people.withOtherLogin(user) ??
    // The LMS also accepts a login that the upload deletes.
    heldIn(byId(user));
  const found = new FoundGroups(evaluation, known);
  const inCourse = await membersInCourse(
    evaluation,
    {
      category: (sisId) => heldIn(known.categories.get(sisId)),
      group: (sisId) => heldIn(known.groups.get(sisId)),
    },
    (user) => String(whoIs(user)?.id ?? uploadState.personOf(user)),
  );
  const meant: Meant[] = [];
  let applied = 0;
  for (const row of rows) {
    const { cell } = row;
    const [group, user] = [cell('group_id') ?? '', cell('user_id') ?? ''];
    const who = whoIs(user);
    // A deleted login of someone who has another one still identifies them.
    const known = uploadState.has('user', user);
    // A login that the LMS creates as a deleted one also identifies them.
    const isNew =
      who === null && (known === true || (known === false && uploadState.deletedLogins.has(user)));
    const exists = who !== null || isNew ? true : (known ?? isThere(byId(user)));
    const there = await found.take(group);
    const first = refusal(cell, exists, there, { isNew, mayBeFormer: people.mayBeFormer(user) });
    const outside = orRefused(first ?? { does: 'nothing' }, inCourse.outside(cell));
    const key = found.keyOf(group);
    const person = who === null ? uploadState.personOf(user) : String(who.id);
    const taken = first === null && outside.does === 'nothing';
    const uncertain = taken && inCourse.uncertain(cell);
    if (uncertain) found.mayEnd(found.now.endsIn(key, person, cell('status')), person);
    const full = uncertain
      ? { effect: perhapsOutside(cell), counts: false }
      : taken
        ? found.now.full(key, person, cell('status'))
        : null;
    const open = taken ? (full?.effect ?? null) : outside;
    if (open === null) found.now.take(key, person, cell('status'), row.row, evaluation.fileOf(row.part));
    const at = open === null ? applied++ : -1;
    const counts = full?.counts ?? true;
    meant.push({ ...row, effect: open, counts, at, group: key, person, gone: there === 'gone' });
  }
  found.countSettled();
  asking.signal.throwIfAborted();
  return async () => {
    for (const { cell, effect: open, counts, at, group: key, person, gone, part, row } of meant) {
      const [group, user] = [cell('group_id') ?? '', cell('user_id') ?? ''];
      const left = open === null ? found.now.leaves(at, key, person) : [];
      const course = inCourse.courseOf(group);
      const ends = open === null && course !== null && courseEnrolments.comings.leftWithLink(course, person);
      const lost = ends ? found.now.lostAgain(at, key, person, ENDS_WITH_LINK) : null;
      const effect =
        open ?? lost ?? (gone ? inDeleted(group, left.length > 0) : found.now.effect(at, key, person));
      // A person who joins a group leaves another one of its category, so any row may remove something.
      if (effect.does === 'unknown' && counts) tally.uncompared('group_membership');
      const held = heldIn(known.groups.get(group));
      const who = whoIs(user);
      if (who !== null) tally.numbers.set(user, who.id);
      await put(
        evaluation,
        'group_membership',
        { part, row },
        effect,
        named(user, who?.name ?? null, who && `users/${who.id}`),
        {
          in: named(group, held?.name ?? null, held && `groups/${held.id}`),
          takes:
            left.length === 0 ? null : `leaves the group${left.length === 1 ? '' : 's'} ${left.join(', ')}`,
        },
      );
    }
  };
}

/** Returns why a row cannot be applied or compared; null if it is applied. */
function refusal(
  cell: CellsRow['cell'],
  exists: boolean | null,
  group: Presence,
  { isNew, mayBeFormer }: { isNew: boolean; mayBeFormer: boolean },
): SisEffect | null {
  const user = cell('user_id') ?? '';
  const nobody = fails('user_id', `No person in the LMS has the SIS ID ${shown(user)}.`);
  if (exists === false && mayBeFormer)
    return { does: 'unknown', why: `${nobody.why ?? ''} ${FORMER}`.trim() };
  if (exists === false)
    return group === 'missing' && !removes('group_membership', cell)
      ? orRefused(noGroup(cell), nobody.problems ?? [])
      : nobody;
  if (exists === null)
    return {
      does: 'unknown',
      why: `LMS Admin could not confirm whether the SIS ID ${shown(user)} belongs to a person.`,
    };
  const removing = removes('group_membership', cell);
  const none = `The LMS has no group ${shown(cell('group_id') ?? '')}.`;
  if (group === 'gone')
    return removing
      ? { does: 'nothing', why: 'The membership ends with its group, which is deleted by this upload.' }
      : null;
  if (group === 'missing')
    return removing
      ? notFound(
          'group_id',
          none,
          `${none} If that answer was wrong, this row removes the member, so it counts as a removal.`,
        )
      : isNew
        ? noGroup(cell)
        : notFound('group_id', none, `${none} ${HIDDEN} So the row counts as a removal.`);
  if (group === 'shut') return { does: 'unknown', why: inShut(cell) };
  return group === 'unread' ? UNREAD : null;
}

const inShut = (cell: CellsRow['cell']): string =>
  `The course of the group ${shown(cell('group_id') ?? '')} is deleted, so the LMS does not show who is in the group. The LMS rejects the row if the person is not enrolled in the course. LMS Admin cannot check this, so the row counts as a removal.`;

function noGroup(cell: CellsRow['cell']): SisEffect {
  return fails('group_id', `The LMS has no group ${shown(cell('group_id') ?? '')}. ${HIDDEN}`);
}

const FORMER =
  'If this SIS ID belongs to a deleted login, the row applies to the owner of that login. The row may remove this person from a group, so it counts as a removal.';
const HIDDEN =
  'If a group with this SIS ID was deleted, the row adds the person to the deleted group and removes them from the other groups of its category. The LMS does not show deleted items.';

/** Returns the effect of a membership in a deleted group, which the LMS also accepts. */
function inDeleted(group: string, leaves: boolean): SisEffect {
  const why = `The group ${shown(group)} is deleted by this upload. The LMS adds the person to the deleted group, where no one can see it.`;
  return { does: leaves ? 'changes' : 'nothing', why };
}

const ENDS_WITH_LINK =
  'A row of user_observers in this upload deletes a link of this observer, who then leaves the course and this group.';

const perhapsOutside = (cell: CellsRow['cell']): SisEffect => ({
  does: 'unknown',
  why: `LMS Admin cannot tell whether ${shown(cell('user_id') ?? '')} will be in the course of the group when this row is applied, because an earlier row of this upload could not be compared. The LMS rejects the row if the person is not in the course.`,
});
