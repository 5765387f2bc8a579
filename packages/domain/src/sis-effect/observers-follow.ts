/** Linked observers, whose enrolments follow those of their students. */
import { begins, isLive, losesAccess } from './effect.ts';
import type { EnrolmentEffect, EnrolmentRow, HeldPlace } from './held-place.ts';
import type { Slot, Slots } from './slots.ts';

/** Sets linked observers to their student's state, and finds people left without an enrolment in the course. */
export function observersFollow(
  place: HeldPlace,
  slots: Slots,
  slot: Slot,
  before: string | null,
): Pick<EnrolmentEffect, 'leaves' | 'observers' | 'mayReturn'> {
  const { userId, sectionId, state } = slot;
  if (userId === null || before === state) return {};
  const ended = [userId];
  let observers = 0;
  const isStudent = place.isStudent?.(slot.roleId) ?? null;
  const linked = isStudent === false ? new Set<number>() : place.observersOf(userId);
  const there = slots.ofStudent(userId).filter((one) => one.sectionId === sectionId);
  for (const other of there) {
    if (other.userId === null || (linked !== null && !linked.has(other.userId))) continue;
    if (other.held !== null && losesAccess(other.state ?? 'deleted', state ?? 'deleted')) observers++;
    other.state = state;
    ended.push(other.userId);
  }
  if (state === 'active' && isStudent === true)
    for (const observer of linked ?? [])
      if (!there.some((one) => one.userId === observer)) slots.enrolObserver(observer, userId, sectionId);
  const outside = [...(linked ?? [])].filter((one) => !there.some(({ userId: id }) => id === one)).length;
  const mayReturn = state !== null && state !== 'active' && isStudent === true ? outside : 0;
  const leaves =
    state !== null || slot.held === null
      ? []
      : ended.filter((id) => slots.ofPerson(id).every(({ state }) => state === null));
  return {
    ...(leaves.length > 0 ? { leaves } : {}),
    ...(observers > 0 ? { observers } : {}),
    ...(mayReturn > 0 ? { mayReturn } : {}),
  };
}

/**
 * Counts the linked observers who leave with a student. If it is unknown which enrolment ends, the section with the
 * most of them counts.
 */
export function observersLeave(
  place: HeldPlace,
  slots: Slots,
  row: EnrolmentRow,
): Pick<EnrolmentEffect, 'observers' | 'perhapsLeaves'> {
  const student = slots.idOf(row.user);
  if (student === null || row.roles.every((role) => place.isStudent?.(role) === false)) return {};
  const linked = place.observersOf(student);
  const bySection = new Map<number, number[]>();
  for (const { sectionId, userId, state } of slots.ofStudent(student)) {
    if (userId === null || state === null || (linked !== null && !linked.has(userId))) continue;
    bySection.set(sectionId, [...(bySection.get(sectionId) ?? []), userId]);
  }
  const all = [...bySection.values()];
  const observers = Math.max(0, ...all.map(({ length }) => length));
  if (observers === 0) return {};
  return { observers, ...(begins(row.status, 'deleted') ? { perhapsLeaves: [...new Set(all.flat())] } : {}) };
}

/** Returns the numbers of the observers enrolled with a student. */
export function comingIn(slots: Slots, { held, userId, sectionId, state }: Slot): number[] {
  if (state !== 'active' || held?.state === 'active' || userId === null) return [];
  return slots
    .ofStudent(userId)
    .filter(
      (one) =>
        one.sectionId === sectionId &&
        one.rows.length === 0 &&
        one.state === 'active' &&
        (one.held === null || !isLive(one.held.state)),
    )
    .flatMap((one) => one.userId ?? []);
}
