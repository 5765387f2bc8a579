/** Settings of a meeting (Zoom reference §7): their defaults and valid values. */

import { z } from 'zod';
import type { Settings, ZoomUser } from '../store/model.ts';

/** Locked by the account: any values sent are silently ignored. */
export const LOCKED: Settings = { waiting_room: true };

const DEFAULTS = {
  host_video: false,
  participant_video: false,
  cn_meeting: false,
  in_meeting: false,
  join_before_host: false,
  jbh_time: 0,
  mute_upon_entry: false,
  watermark: false,
  use_pmi: false,
  approval_type: 2,
  audio: 'both',
  auto_recording: 'none',
  enforce_login: false,
  enforce_login_domains: '',
  alternative_hosts: '',
  alternative_hosts_email_notification: true,
  alternative_host_update_polls: false,
  close_registration: false,
  show_share_button: false,
  allow_multiple_devices: false,
  registrants_confirmation_email: true,
  registrants_email_notification: true,
  waiting_room: true,
  request_permission_to_unmute_participants: false,
  meeting_authentication: false,
  encryption_type: 'enhanced_encryption',
  internal_meeting: false,
  participant_focused_meeting: false,
  push_change_to_calendar: false,
  auto_start_meeting_summary: false,
  auto_start_ai_companion_questions: false,
  device_testing: false,
  focus_mode: false,
  private_meeting: false,
  email_notification: true,
  email_in_attendee_report: false,
  host_save_video_order: false,
  enable_dedicated_group_chat: false,
  allow_host_control_participant_mute_state: false,
};

/** Objects and lists, which are stored as they were sent. */
const NESTED_DEFAULTS = {
  approved_or_denied_countries_or_regions: { enable: false },
  breakout_room: { enable: false },
  continuous_meeting_chat: { enable: false, auto_add_invited_external_users: false },
  sign_language_interpretation: { enable: false },
  global_dial_in_countries: [],
  global_dial_in_numbers: [],
  resources: [],
};

const CHOICES: Record<string, readonly (string | number)[]> = {
  jbh_time: [0, 5, 10, 15],
  approval_type: [0, 1, 2],
  audio: ['both', 'telephony', 'voip', 'thirdParty'],
  auto_recording: ['local', 'cloud', 'none'],
  encryption_type: ['enhanced_encryption', 'e2ee'],
};

/** Settings that can be sent; other names are silently ignored. */
export const settingsSchema = z.object(
  Object.fromEntries([
    ...Object.entries(DEFAULTS).map(([name, value]) => [name, schemaOf(name, value).optional()]),
    ...Object.keys(NESTED_DEFAULTS).map((name) => [name, z.unknown().optional()]),
  ]),
);

/** Returns the settings of a new meeting, before the request's own are applied. */
export function defaultSettings({ preferences }: ZoomUser): Settings {
  return structuredClone({ ...DEFAULTS, ...NESTED_DEFAULTS, ...preferences, ...LOCKED });
}

/**
 * Merges settings with the requested changes. Locked settings, and those without effect for the meeting's
 * type, do not change (§9).
 */
export function mergedSettings(now: Settings, requested: Settings, type: number): Settings {
  const given = Object.entries(requested).filter(
    ([name, value]) => value !== undefined && !(name in LOCKED) && !(name === 'approval_type' && type === 3),
  );
  return { ...now, ...Object.fromEntries(given) };
}

function schemaOf(name: string, value: string | number | boolean): z.ZodType {
  const choices = CHOICES[name];
  if (choices) return z.literal([...choices]);
  return typeof value === 'boolean' ? z.boolean() : z.string();
}
