/** The order in which people come back by an undo, so that places in groups with a limit are free when they do (OP-107). Pure. */
import type { CourseIndex } from './group-course.ts';
import { type MemberDifference, type MemberFate, type MemberRow, planMembers } from './group-members.ts';
import type { SentMember, TurnedMember, TurnedMembers } from './group-undo.ts';

/** A bound for orders that are tried: each lets those in for whom the one before it has made room. */
const MOST_ORDERS = 30;

/**
 * What the rows do, in an order in which those who leave a full group go before those who come back into it.
 * @returns also the rows as they are then asked for, and who is left alone
 */
export function planTurned(
  first: TurnedMembers,
  index: CourseIndex,
): { turned: TurnedMembers; difference: MemberDifference } {
  // They name what the course has.
  const reader = { index, by: 'ids', elsewhere: { people: new Map(), groups: new Map() } } as const;
  let turned = first;
  for (;;) {
    let difference = planMembers(turned.asked, reader);
    for (let orders = 0; orders < MOST_ORDERS; orders++) {
      const ordered = refusedLast(turned, difference.rows);
      if (ordered === null) break;
      turned = ordered;
      difference = planMembers(turned.asked, reader);
    }
    // Who is left alone takes up a place that others would have had.
    const whole = withoutHalves(turned, difference.rows);
    if (whole === null) return { turned, difference };
    turned = whole;
  }
}

/** Puts those whose rows are refused behind the others; null where they are the last already. */
function refusedLast(turned: TurnedMembers, judged: readonly MemberRow[]): TurnedMembers | null {
  const { asked } = turned;
  const refused = new Set(asked.flatMap(({ of }, at) => (judged[at]?.fate === 'refused' ? [of] : [])));
  const ordered = [
    ...asked.filter(({ of }) => !refused.has(of)),
    ...asked.filter(({ of }) => refused.has(of)),
  ];
  return ordered.every((one, at) => one === asked[at]) ? null : { ...turned, asked: numbered(ordered) };
}

/**
 * Leaves alone who could be taken out of a group and not be put back into the former one: they would be in none.
 * @param judged the rows as the LMS would carry them out, in the order of those that are asked for
 * @returns null: there is no one like that
 */
function withoutHalves(turned: TurnedMembers, judged: readonly MemberRow[]): TurnedMembers | null {
  const { asked, kept } = turned;
  const fatesOf = new Map<SentMember, MemberFate[]>();
  asked.forEach(({ of }, at) => fatesOf.set(of, [...(fatesOf.get(of) ?? []), judged[at]?.fate ?? 'refused']));
  const halves = [...fatesOf].flatMap(([of, fates]) =>
    fates.includes('refused') && fates.includes('remove') ? [of] : [],
  );
  if (halves.length === 0) return null;
  const left = new Set(halves);
  return {
    ...turned,
    asked: numbered(asked.filter(({ of }) => !left.has(of))),
    kept: [...kept, ...halves.map(({ person, group }) => ({ person, group, why: 'full' as const }))],
  };
}

const numbered = (asked: readonly TurnedMember[]) => asked.map((one, at) => ({ ...one, row: at + 1 }));
