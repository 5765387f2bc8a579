/** The data that Zoom stores for a school. Everything is JSON, because it is saved as JSON. */

/** 1 Basic, 2 Licensed, 3 On-prem (Zoom reference §6). */
export type UserType = 1 | 2 | 3;
export type UserStatus = 'active' | 'inactive' | 'pending';

export type ZoomUser = {
  /** Null while the person is pending, that is, has not signed up yet. */
  id: string | null;
  first: string;
  last: string;
  email: string;
  type: UserType;
  status: UserStatus;
  /** The personal meeting number. */
  pmi: number | null;
  timezone: string;
  dept: string;
  role: 'owner' | 'member';
  createdAt: number;
  lastLogin: number | null;
  /** False if the feature is disabled for this person. */
  mayHost: boolean;
  /** Whether meetings without a chosen passcode get one. */
  makesPasscodes: boolean;
  /** IDs of people who can schedule for this person. */
  assistants: string[];
  /** Default settings of this person's meetings. */
  preferences: Record<string, boolean>;
  /** Removed from the account. The entry stays, so that the seed does not restore the person. */
  removed: boolean;
};

/** A user with an ID, as everyone who can act in Zoom has. */
export type Member = ZoomUser & { id: string };

/** 1 instant, 2 scheduled, 3 recurring without times, 4 personal room, 8 recurring with times, 10 screen share (§7). */
export type MeetingType = 1 | 2 | 3 | 4 | 8 | 10;

export type Occurrence = {
  occurrence_id: string;
  start_time: string;
  duration: number;
  status: 'available' | 'deleted';
};

/** Changes to one occurrence of a recurring meeting. */
export type OccurrenceChange = { start?: number; duration?: number; agenda?: string; cancelled?: true };

/** Every so many days (1), weeks (2) or months (3). */
export type Recurrence = {
  type: 1 | 2 | 3;
  repeat_interval: number;
  /** From 1 (Sunday) to 7, separated by commas. */
  weekly_days?: string | undefined;
  monthly_day?: number | undefined;
  /** From 1 to 4, or -1 for the last; used with the day of the week. */
  monthly_week?: number | undefined;
  monthly_week_day?: number | undefined;
  end_times?: number | undefined;
  end_date_time?: string | undefined;
};

export type Settings = Record<string, unknown>;

export type Meeting = {
  number: number;
  uuid: string;
  hostId: string;
  /** The person who created the meeting for the host. */
  assistantId: string | null;
  type: MeetingType;
  topic: string;
  agenda: string;
  /** Milliseconds since 1970; null for type 3, which has no time. */
  start: number | null;
  /** Minutes. */
  duration: number;
  timezone: string;
  createdAt: number;
  /** When the meeting was last held. */
  usedAt: number | null;
  /** Empty if the meeting has no passcode. */
  passcode: string;
  settings: Settings;
  trackingFields: { field: string; value: string }[];
  recurrence: Recurrence | null;
  /** By occurrence ID; meetings saved by earlier versions have none. */
  changes?: Record<string, OccurrenceChange>;
  running: boolean;
  /** The last instance of the meeting and its times; meetings saved by earlier versions have none. */
  past?: { uuid: string; start: number; end: number };
  deletedAt: number | null;
};

/** An email that Zoom would have sent. */
export type Mail = { at: string; kind: MailKind; to: string; meeting: number };
export type MailKind = 'alternative-host' | 'meeting-changed' | 'meeting-cancelled';
