/** Default settings for a host's meetings, as in `GET /users/{id}/settings` (Zoom reference §6). */

import type { Member } from '../store/model.ts';
import { LOCKED } from './settings-table.ts';

/** The account's minimum passcode length. */
export const SHORTEST_PASSCODE = 6;

export function settingsOf({ preferences, makesPasscodes, type }: Member): object {
  return {
    schedule_meeting: {
      host_video: false,
      participants_video: false,
      audio_type: 'both',
      join_before_host: false,
      use_pmi_for_scheduled_meetings: false,
      require_password_for_scheduling_new_meetings: makesPasscodes,
      mute_upon_entry: false,
      ...preferences,
    },
    in_meeting: { waiting_room: LOCKED['waiting_room'], chat: true, breakout_room: true, co_host: true },
    email_notification: {
      alternative_host_reminder: true,
      cancel_meeting_reminder: true,
      schedule_for_reminder: true,
    },
    recording: { local_recording: true, cloud_recording: type !== 1, auto_recording: 'none' },
    feature: { meeting_capacity: type === 1 ? 100 : 500 },
  };
}

export function securityOf({ makesPasscodes }: Member): object {
  return {
    meeting_security: {
      meeting_password: makesPasscodes,
      meeting_password_requirement: {
        length: SHORTEST_PASSCODE,
        have_letter: false,
        have_number: false,
        have_special_character: false,
        have_upper_and_lower_characters: false,
        only_allow_numeric: false,
        consecutive_characters_length: 0,
        weak_enhance_detection: false,
      },
      embed_password_in_join_link: true,
      waiting_room: LOCKED['waiting_room'],
      encryption_type: 'enhanced_encryption',
    },
  };
}
