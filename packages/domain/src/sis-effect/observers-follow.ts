/** Linked observers, who follow the enrolments of their students. */
import { isLive, losesAccess } from './effect.ts';
import type { EnrolmentEffect, HeldPlace } from './held-place.ts';
import type { Slot, Slots } from './slots.ts';

/** Sets the enrolments of linked observers as that of their student, and finds who is left without a place in the course. */
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

/** How many observers come in with a student. */
export function comingIn(slots: Slots, { held, userId, sectionId, state }: Slot): number {
  if (state !== 'active' || held?.state === 'active' || userId === null) return 0;
  return slots
    .ofStudent(userId)
    .filter(
      (one) =>
        one.sectionId === sectionId &&
        one.rows.length === 0 &&
        one.state === 'active' &&
        (one.held === null || !isLive(one.held.state)),
    ).length;
}
