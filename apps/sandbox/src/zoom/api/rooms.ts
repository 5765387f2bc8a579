/**
 * Users' personal rooms (Zoom reference §7): always available, in no list, each with its user's own number.
 */

import { digitsOf, uuidOf } from '../store/ids.ts';
import type { Meeting } from '../store/model.ts';
import type { ZoomStore } from '../store/store.ts';
import { isMember, nameOf } from './people.ts';
import { defaultSettings } from './settings-table.ts';

/** Finds the personal room with a number, or returns undefined if the number is not a personal one. */
export function personalRoomAt(store: ZoomStore, number: string): Meeting | undefined {
  const host = store.users().find(({ pmi }) => pmi !== null && String(pmi) === number);
  if (!isMember(host)) return undefined;
  return {
    number: Number(number),
    uuid: uuidOf(`room ${number}`),
    hostId: host.id,
    assistantId: null,
    type: 4,
    topic: `${nameOf(host)}'s Personal Meeting Room`,
    agenda: '',
    start: null,
    duration: 0,
    timezone: host.timezone,
    createdAt: host.createdAt,
    usedAt: null,
    passcode: digitsOf(`room passcode ${number}`, 6),
    settings: defaultSettings(host),
    trackingFields: [],
    recurrence: null,
    running: false,
    deletedAt: null,
  };
}
