/** What Zoom holds of a school. Everything is JSON, as it is remembered so. */

/** 1 Basic, 2 Licensed, 3 On-prem (reference of Zoom §6). */
export type UserType = 1 | 2 | 3;
export type UserStatus = 'active' | 'inactive' | 'pending';

export type ZoomUser = {
  /** Null: pending, not signed up yet. */
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
  /** False: the feature is switched off for this person. */
  mayHost: boolean;
  /** Whether meetings get a passcode that no one chose. */
  makesPasscodes: boolean;
  /** Ids of who may schedule for this person. */
  assistants: string[];
  /** What this person's meetings have where no one says otherwise. */
  preferences: Record<string, boolean>;
  /** Taken off the account. The entry stays, so that the seed does not bring the person back. */
  removed: boolean;
};

/** A user who has an id, as all have who can do anything. */
export type Member = ZoomUser & { id: string };

/** 1 instant, 2 scheduled, 3 recurring without times, 4 personal room, 8 recurring with times, 10 screen share (§7). */
export type MeetingType = 1 | 2 | 3 | 4 | 8 | 10;

export type Occurrence = {
  occurrence_id: string;
  start_time: string;
  duration: number;
  status: 'available' | 'deleted';
};

/** What is different about one time of a recurring meeting. */
export type OccurrenceChange = { start?: number; duration?: number; agenda?: string; cancelled?: true };

/** Every so many days (1), weeks (2) or months (3). */
export type Recurrence = {
  type: 1 | 2 | 3;
  repeat_interval: number;
  /** From 1, Sunday, to 7, with commas between them. */
  weekly_days?: string | undefined;
  monthly_day?: number | undefined;
  /** From 1 to 4, or -1: the last; with the day of that week. */
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
  /** Who made it for the host. */
  assistantId: string | null;
  type: MeetingType;
  topic: string;
  agenda: string;
  /** Milliseconds since 1970; null: type 3 has none. */
  start: number | null;
  /** Minutes. */
  duration: number;
  timezone: string;
  createdAt: number;
  /** When it was last held. */
  usedAt: number | null;
  /** Empty: none. */
  passcode: string;
  settings: Settings;
  trackingFields: { field: string; value: string }[];
  recurrence: Recurrence | null;
  /** By the ids of occurrences; what was remembered earlier has none. */
  changes?: Record<string, OccurrenceChange>;
  running: boolean;
  /** When it was held last, and as which instance; what was remembered earlier has none. */
  past?: { uuid: string; start: number; end: number };
  deletedAt: number | null;
};

/** A mail that Zoom would have sent. */
export type Mail = { at: string; kind: MailKind; to: string; meeting: number };
export type MailKind = 'alternative-host' | 'meeting-changed' | 'meeting-cancelled';
