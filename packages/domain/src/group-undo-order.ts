/** The order in which an undo restores people, so that places in limited groups are free when needed (OP-107). Pure. */
import type { CourseIndex } from './group-course.ts';
import { type MemberDifference, type MemberFate, type MemberRow, planMembers } from './group-members.ts';
import type { SentMember, TurnedMember, TurnedMembers } from './group-undo.ts';

/** Limits the orders to try: each one admits people for whom the previous one has made room. */
const MOST_ORDERS = 30;

/**
 * Orders the rows, with their results, so that people leave a full group before others return to it.
 * @returns also the rows in that order, and the people who stay unchanged
 */
export function planTurned(
  first: TurnedMembers,
  index: CourseIndex,
): { turned: TurnedMembers; difference: MemberDifference } {
  // The rows name only what the course has.
  const reader = { index, by: 'ids', elsewhere: { people: new Map(), groups: new Map() } } as const;
  let turned = first;
  for (;;) {
    let difference = planMembers(turned.requested, reader);
    for (let orders = 0; orders < MOST_ORDERS; orders++) {
      const ordered = refusedLast(turned, difference.rows);
      if (ordered === null) break;
      turned = ordered;
      difference = planMembers(turned.requested, reader);
    }
    // A person who stays unchanged keeps a place that others would have got.
    const whole = withoutHalves(turned, difference.rows);
    if (whole === null) return { turned, difference };
    turned = whole;
  }
}

/** Moves people with rejected rows behind the others; null if they are already last. */
function refusedLast(turned: TurnedMembers, judged: readonly MemberRow[]): TurnedMembers | null {
  const { requested } = turned;
  const refused = new Set(requested.flatMap(({ of }, at) => (judged[at]?.fate === 'refused' ? [of] : [])));
  const ordered = [
    ...requested.filter(({ of }) => !refused.has(of)),
    ...requested.filter(({ of }) => refused.has(of)),
  ];
  return ordered.every((one, at) => one === requested[at])
    ? null
    : { ...turned, requested: numbered(ordered) };
}

/**
 * Keeps people in a group if they could not be restored to the previous one: they would be in none.
 * @param judged the rows as the LMS would apply them, in the order of those requested
 * @returns null if no one has to be kept
 */
function withoutHalves(turned: TurnedMembers, judged: readonly MemberRow[]): TurnedMembers | null {
  const { requested, kept } = turned;
  const fatesOf = new Map<SentMember, MemberFate[]>();
  requested.forEach(({ of }, at) =>
    fatesOf.set(of, [...(fatesOf.get(of) ?? []), judged[at]?.fate ?? 'refused']),
  );
  const halves = [...fatesOf].flatMap(([of, fates]) =>
    fates.includes('refused') && fates.includes('remove') ? [of] : [],
  );
  if (halves.length === 0) return null;
  const left = new Set(halves);
  return {
    ...turned,
    requested: numbered(requested.filter(({ of }) => !left.has(of))),
    kept: [...kept, ...halves.map(({ person, group }) => ({ person, group, why: 'full' as const }))],
  };
}

const numbered = (requested: readonly TurnedMember[]) =>
  requested.map((one, at) => ({ ...one, row: at + 1 }));
