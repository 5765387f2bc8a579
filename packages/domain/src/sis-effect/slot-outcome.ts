/** Result of an enrolment's rows. */
import { begins, changed, changedDate, type FieldChange, isLive, type SisEffect } from './effect.ts';
import type { EnrolmentRow, HeldEnrolment, HeldPlace } from './held-place.ts';
import { IN_DEFAULT, NEW_DEFAULT, RESTORED_DEFAULT } from './place-words.ts';
import type { Slot } from './slots.ts';

/**
 * @param row the last one about the enrolment
 * @param others the person's other enrolments with the role in the course
 */
export function slotOutcome(
  place: HeldPlace,
  row: EnrolmentRow,
  slot: Slot,
  others: readonly HeldEnrolment[],
): SisEffect {
  const { held, state } = slot;
  if (held === null) {
    if (state === null) return { does: 'nothing', why: notThere(place, others, slot.sectionId) };
    const { defaultSection, maybeDefault, restored } = place;
    const open = row.section === '' && (restored || defaultSection === null);
    const note = restored ? RESTORED_DEFAULT : maybeDefault.size > 0 ? IN_DEFAULT : NEW_DEFAULT;
    const why = open ? { why: note } : {};
    const fields: FieldChange[] = [
      ...(state === 'active' ? [] : changed('status', null, state)),
      ...changedDate('start_date', null, slot.start),
      ...changedDate('end_date', null, slot.end),
      ...(slot.limited ? changed('limit_section_privileges', null, 'true') : []),
    ];
    return {
      does: 'creates',
      ...(fields.length > 0 ? { fields } : {}),
      ...why,
    };
  }
  if (state === null) return { does: 'removes', fields: [['status', held.state, 'deleted']] };
  const fields: FieldChange[] = [
    ...changed('status', held.state, state),
    ...changedDate('start_date', held.start, slot.start),
    ...changedDate('end_date', held.end, slot.end),
    ...changed('limit_section_privileges', String(held.limited ?? false), String(slot.limited)),
  ];
  if (begins(row.status, 'deleted_last'))
    return held.state === state
      ? {
          does: fields.length > 0 || row.more ? 'changes' : 'nothing',
          why: 'This is the last enrolment of the person with this role, and is already concluded.',
          fields,
        }
      : {
          does: kindOf(held.state, state),
          why: 'This is the last enrolment of the person with this role, so it is concluded, not removed.',
          fields,
        };
  if (fields.length > 0) return { does: kindOf(held.state, state), fields };
  if (row.more) return { does: 'changes', why: 'This row sets values that LMS Admin cannot compare.' };
  return { does: 'nothing', why: `The person is already in the ${place.name} with this role and state.` };
}

function notThere({ name }: HeldPlace, others: readonly HeldEnrolment[], section: number): string {
  if (others.some((held) => held.sectionId === section && held.observes !== null))
    return 'The person is enrolled there as the observer of a student, so nothing is removed. Enter the student in the column associated_user_id.';
  return others.length > 0
    ? `The person is in another section of the ${name}, so nothing is removed. Enter the section_id of that section.`
    : `The person is not enrolled with this role in the ${name}, so nothing is removed.`;
}

/** Returns the kind of a change of state: the end of access, or its return. */
function kindOf(before: string, after: string): SisEffect['does'] {
  if (before === after) return 'changes';
  if (isLive(before) && !isLive(after)) return after === 'completed' ? 'concludes' : 'suspends';
  return isLive(after) && !isLive(before) ? 'restores' : 'changes';
}
