/** The initial state of Zoom: its people, and the meetings of one of them. */

import { BASE_DATE } from '../../seed/school.ts';
import { defaultSettings } from '../api/settings-table.ts';
import { digitsOf, uuidOf } from '../store/ids.ts';
import type { Meeting, Member } from '../store/model.ts';
import type { ZoomStore } from '../store/store.ts';
import { DAY, HOUR } from '../store/time.ts';
import { zoomUsers } from './users.ts';

/** Version of the seed; raised with each change, because a sandbox saves only differences from it. */
export const ZOOM_SEED = 1;

/** A webinar's number; calls for meetings reject it (Zoom reference §8). */
export const WEBINAR = { number: 97_204_118_836, topic: 'Admissions: questions and answers' };

/** Fills an empty store. */
export function seedZoom(store: ZoomStore): void {
  for (const user of zoomUsers()) store.putUser(user);
  const host = store.user('alma.reyes@northbridge.example') as Member;
  const plan = (given: Partial<Meeting>) => store.putMeeting(meetingOf(store, host, given));
  plan({ topic: 'Weekly office hours', type: 3, start: null });
  plan({
    topic: 'Coordinators’ round',
    type: 8,
    start: BASE_DATE + 30 * DAY + HOUR,
    recurrence: { type: 2, repeat_interval: 1, end_times: 12 },
  });
}

function meetingOf(store: ZoomStore, host: Member, given: Partial<Meeting>): Meeting {
  const number = store.newNumber();
  return {
    number,
    uuid: uuidOf(`meeting ${number}`),
    hostId: host.id,
    assistantId: null,
    type: 2,
    topic: '',
    agenda: '',
    start: null,
    duration: 60,
    timezone: host.timezone,
    createdAt: BASE_DATE,
    usedAt: null,
    passcode: digitsOf(`passcode ${number}`, 6),
    settings: defaultSettings(host),
    trackingFields: [],
    recurrence: null,
    running: false,
    deletedAt: null,
    ...given,
  };
}
