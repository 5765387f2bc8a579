/** Meetings in Zoom's JSON (Zoom reference §7, §8, §11). */

import { digitsOf, encryptedPasscode, idOf } from '../store/ids.ts';
import type { Meeting, Member } from '../store/model.ts';
import { allOccurrencesOf } from '../store/occurrences.ts';
import { zoomTime } from '../store/time.ts';
import type { Entry } from './lists.ts';

/** How many characters of the agenda a list shows. */
const LISTED_AGENDA = 250;

/** Returns a single meeting with all fields. @param base this server's address */
export function wholeMeeting(meeting: Meeting, host: Member, base: string): object {
  const { number, passcode, settings, recurrence } = meeting;
  const digits = passcode === '' ? '' : digitsOf(`phone ${number} ${passcode}`, 6);
  return {
    ...common(meeting),
    host_email: host.email,
    ...(meeting.assistantId === null ? {} : { assistant_id: meeting.assistantId }),
    status: meeting.running ? 'started' : 'waiting',
    agenda: meeting.agenda,
    ...(usesPmi(meeting) ? { pmi: String(host.pmi) } : {}),
    // A secret of the host: anyone with this address can start the meeting.
    start_url: `${base}/zoom/s/${number}?zak=${idOf(`zak ${number}`)}`,
    join_url: joinUrl(meeting, host, base),
    password: passcode,
    ...(passcode === ''
      ? {}
      : {
          h323_password: digits,
          pstn_password: digits,
          encrypted_password: encryptedPasscode(number, passcode),
        }),
    ...(meeting.trackingFields.length === 0 ? {} : { tracking_fields: meeting.trackingFields }),
    ...(recurrence === null ? {} : { recurrence, occurrences: allOccurrencesOf(meeting) }),
    settings,
    pre_schedule: false,
  };
}

/** Returns an entry in a list, without passcode and settings. */
export function listedMeeting({ meeting, start, duration }: Entry, host: Member, base: string): object {
  return {
    ...common({ ...meeting, start, duration }),
    agenda: meeting.agenda.slice(0, LISTED_AGENDA),
    join_url: joinUrl(meeting, host, base),
  };
}

/** Returns the join link; for a personal room, its path has the room's number instead of the meeting's. */
export function joinUrl(meeting: Meeting, host: Member, base: string): string {
  const { number, passcode } = meeting;
  const query = [
    ...(passcode === '' ? [] : [`pwd=${encryptedPasscode(number, passcode)}`]),
    ...(usesPmi(meeting) ? [`omn=${number}`] : []),
  ].join('&');
  return `${base}/zoom/j/${usesPmi(meeting) ? host.pmi : number}${query === '' ? '' : `?${query}`}`;
}

function usesPmi({ settings }: Meeting): boolean {
  return settings['use_pmi'] === true;
}

function common(meeting: Meeting): object {
  return {
    uuid: meeting.uuid,
    id: meeting.number,
    host_id: meeting.hostId,
    topic: meeting.topic,
    type: meeting.type,
    ...(meeting.start === null ? {} : { start_time: zoomTime(meeting.start) }),
    ...(meeting.type === 4 ? {} : { duration: meeting.duration }),
    timezone: meeting.timezone,
    created_at: zoomTime(meeting.createdAt),
  };
}
