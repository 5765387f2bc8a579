/** Alternative hosts who can start a meeting, and changes to them: a host may have changed the list in Zoom. */
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import { emailKey } from '@lms-admin/domain/emails';
import { type MeetingStep, others } from '@lms-admin/domain/zoom-decisions';
import type { ZoomMeeting } from '../zoom-api/types.ts';
import type { Slot } from './calendar-event.ts';
import { coHostsOf, type MeetingRow } from './records.ts';

export type CoHosts = ZoomPreview['co_hosts'][number];

/**
 * Returns the alternative hosts that a step changes, or that differ in Zoom from the stored ones; null if neither
 * applies.
 * @param row stored data of the meeting before Zoom was called
 * @param unlicensed people omitted from a new meeting
 */
export function coHostsBy(
  { event: { id: event, title, start_at } }: Slot,
  step: MeetingStep,
  meeting: ZoomMeeting | null,
  row: MeetingRow | null,
  unlicensed: readonly string[] = [],
): CoHosts | null {
  if (!row) {
    // A new section gets the alternative hosts of the other sections, if they have a licence.
    const to = step.step === 'make' ? step.coHosts : [];
    const from = [...to, ...unlicensed].sort();
    if (unlicensed.length === 0) return null;
    return { event, title, start_at, from, to: [...to], known: from, unlicensed: [...unlicensed] };
  }
  const desired = step.step === 'make' ? step.coHosts : (step.change.coHosts ?? null);
  const host =
    (step.step === 'make' ? step.host : step.handOver) ?? emailKey(meeting?.hostEmail ?? row.hostEmail);
  const known = others(coHostsOf(row), host);
  const from = meeting ? others(meeting.coHosts, host) : known;
  const to = desired === null ? from : others(desired, host);
  const isSame = [known, to].every((one) => one.join() === from.join());
  return isSame ? null : { event, title, start_at, from, to, known, unlicensed: [...unlicensed] };
}

export function unlicensedHost(email: string): string {
  return `${email} has no Zoom licence, so they are no longer an alternative host.`;
}
