/** Texts about Zoom failures that have a specific next step. */
import type { OutsideWords } from '../platform/outside.ts';

/**
 * Reasons of failures that have a specific next step. `meeting-gone` 3001 · `host-gone` 1001 · `host-day` the host's
 * daily limit is reached, until `retryAt` · `co-host` a person cannot be an alternative host, `who` · `may-not-host`
 * the host cannot host · `may-not-schedule` it cannot be handed over · `running` the meeting is in progress · `webinar`
 * the number is that of a webinar · `not-configured` Zoom is not set up.
 */
export type ZoomReason =
  | 'meeting-gone'
  | 'host-gone'
  | 'host-day'
  | 'co-host'
  | 'may-not-host'
  | 'may-not-schedule'
  | 'running'
  | 'webinar'
  | 'not-configured';

/** @param who email or id of the person that Zoom named; null for none */
export function zoomWords(reason: ZoomReason, who: string | null): OutsideWords {
  const person = who ?? 'this person';
  switch (reason) {
    case 'not-configured':
      return { message: 'Zoom is not set up.', next: 'Ask IT Support to set ZOOM_ACCOUNT_ID.' };
    case 'meeting-gone':
      return { message: 'Zoom no longer has this meeting.', next: 'Publish it again to create a new one.' };
    case 'host-gone':
      return { message: `Zoom has no user ${who ?? 'with this address'}.`, next: 'Choose another host.' };
    case 'host-day':
      return {
        message: `Zoom allows no more changes for ${person} today.`,
        next: 'Try again after 00:00 UTC.',
      };
    case 'co-host':
      return {
        message: `Zoom does not accept ${person} as an alternative host.`,
        next: 'Remove the address, or choose a person with a Zoom licence.',
      };
    case 'may-not-host':
      return {
        message: `Zoom does not let ${person} host meetings.`,
        next: 'Choose another host, or ask IT Support to check the licence in Zoom.',
      };
    case 'may-not-schedule':
      return {
        message: `Zoom does not allow the meeting to be transferred to ${person}.`,
        next: 'Ask IT Support to check the scheduling permissions in Zoom.',
      };
    case 'running':
      return {
        message: 'This meeting is running. Zoom does not allow changes until it has ended.',
        next: 'Try again after the meeting.',
      };
    case 'webinar':
      return {
        message: 'The number of this link belongs to a webinar, which LMS Admin does not change.',
        next: 'Change it in Zoom.',
      };
  }
}
