/** The invitation that hosts send to their guests (Zoom reference §8). */

import { icsKey, opaqueNumber } from '../store/ids.ts';
import type { Meeting, Member } from '../store/model.ts';
import { shownTime } from '../store/time.ts';
import { joinUrl } from './meeting-json.ts';
import { nameOf } from './people.ts';

const RHYTHMS = { 1: 'Daily', 2: 'Weekly', 3: 'Monthly' } as const;

/** Writes the invitation, whose lines end with CRLF. @param base the address of this server */
export function invitationOf(meeting: Meeting, host: Member, base: string): string {
  const { number, start, timezone, passcode, topic } = meeting;
  const file = `${base}/zoom/meeting/${opaqueNumber(number)}/ics?icsToken=${icsKey(number)}`;
  return [
    `${nameOf(host)} is inviting you to a scheduled Zoom meeting.`,
    '',
    `Topic: ${topic}`,
    ...(start === null ? [] : [`Time: ${shownTime(start, timezone)}`]),
    ...(meeting.recurrence === null
      ? []
      : [
          '',
          'Please download and import the following iCalendar (.ics) files to your calendar system.',
          `${RHYTHMS[meeting.recurrence.type]}: ${file}`,
        ]),
    '',
    'Join Zoom Meeting',
    joinUrl(meeting, host, base),
    '',
    `Meeting ID: ${grouped(number)}`,
    ...(passcode === '' ? [] : [`Passcode: ${passcode}`]),
    '',
    '---',
    '',
    'Dial by your location',
    '• +33 0 0000 0000 France',
    '',
  ].join('\r\n');
}

/** Writes a number in groups: `555 4444 3210`. */
export function grouped(number: number): string {
  return String(number).replace(/^(\d{3})(\d+)(\d{4})$/, '$1 $2 $3');
}
