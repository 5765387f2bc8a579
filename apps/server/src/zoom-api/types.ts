/** Input and output of the Zoom client. */
import { type FailureDetails, OutsideError } from '../outbound/errors.ts';
import { AppError } from '../platform/errors.ts';
import type { OutsideErrorKind, OutsideSystem } from '../platform/outside.ts';
import { type ZoomReason, zoomWords } from './words.ts';

/** Name in texts. */
export const ZOOM = 'Zoom';

/** A failed call to Zoom. */
export class ZoomError extends OutsideError {
  readonly reason: ZoomReason | null;
  /** Zoom's error code. */
  readonly code: number | null;
  /** Email or id of the person concerned; null for none, or if Zoom does not name them. */
  readonly who: string | null;
  constructor(
    kind: OutsideErrorKind,
    details: FailureDetails,
    { reason = null, code = null, who = null }: Partial<Pick<ZoomError, 'reason' | 'code' | 'who'>> = {},
  ) {
    super(ZOOM, kind, details);
    this.name = 'ZoomError';
    this.reason = reason;
    this.code = code;
    this.who = who;
  }

  /** Uses the texts for its reason. */
  override toAppError(): AppError {
    if (this.reason === null) return super.toAppError();
    const code = this.kind === 'throttled' ? 'outside-throttled' : 'outside-refused';
    return new AppError(code, { ...zoomWords(this.reason, this.who), cause: this });
  }
}

export interface ZoomUser {
  id: string;
  email: string;
  name: string;
  /** Whether the user can host meetings at all: signed up, and not deactivated. */
  active: boolean;
  /** Whether the user can own meetings: active, with a licence. */
  licensed: boolean;
}

export interface ZoomMeeting {
  number: number;
  hostId: string;
  /** Email of the host; null if an answer omits it. */
  hostEmail: string | null;
  topic: string;
  /** ISO time in UTC. */
  start: string | null;
  /** Minutes. */
  duration: number | null;
  /** Zoom's link, including the passcode: the only link that is published. */
  joinUrl: string;
  /** Emails in lower case, sorted. */
  coHosts: readonly string[];
  /** Begins with the marker if LMS Admin created the meeting; lists cut it to 250 characters. */
  agenda: string;
  /** ISO time. */
  createdAt: string;
  /**
   * Whether people are in it now: Zoom refuses to change or delete it during that time. List entries do not show
   * this.
   */
  running: boolean;
}

export interface NewMeeting {
  topic: string;
  /** Text at the start of the agenda. */
  marker: string;
  /** ISO time in UTC. */
  start: string;
  /** Minutes. */
  duration: number;
  /** IANA name of the time zone for its display. */
  zone: string;
  coHosts: readonly string[];
}

/** Only the given fields are changed. */
export type MeetingChange = Partial<Omit<NewMeeting, 'marker'>>;

export interface ZoomClient extends OutsideSystem {
  /** False if Zoom is not set up; every call then throws an error that says so. */
  readonly configured: boolean;
  /** Beginnings of join links, without a trailing slash (`https://school.zoom.us`). */
  readonly links: readonly string[];
  /** Email of the placeholder account (ZC-20). */
  readonly defaultOwner: string;
  /** A user by email or id, in any state; null if there is none. */
  user(who: string, signal?: AbortSignal): Promise<ZoomUser | null>;
  /**
   * Returns the people who can own meetings: the placeholder account's schedulers, or `ZOOM_OWNERS`; ordered by name
   * (OP-102).
   */
  owners(signal?: AbortSignal): Promise<{ default: ZoomUser; owners: readonly ZoomUser[] }>;
  /** Returns whether a meeting of `from` can be handed to `to`: `to` is a scheduler of `from`, and both are licensed. */
  mayHandOver(from: string, to: string, signal?: AbortSignal): Promise<boolean>;
  /** Creates a meeting. Never repeated automatically after an unclear answer: then `sent` of the error is `maybe`. */
  create(host: string, meeting: NewMeeting, signal?: AbortSignal): Promise<ZoomMeeting>;
  /** Reads a meeting; null if Zoom no longer has it. */
  read(number: number, signal?: AbortSignal): Promise<ZoomMeeting | null>;
  /** @throws ZoomError `meeting-gone` */
  update(number: number, change: MeetingChange, signal?: AbortSignal): Promise<void>;
  /** Hands a meeting to another host, keeping its number and link. @returns whether Zoom then shows the new host */
  handOver(number: number, to: string, signal?: AbortSignal): Promise<boolean>;
  /** Removes a meeting; one that is already gone counts as removed. */
  remove(number: number, signal?: AbortSignal): Promise<void>;
  /** Returns the host's meetings whose agenda begins with the marker, oldest first. */
  withMarker(host: string, marker: string, signal?: AbortSignal): Promise<ZoomMeeting[]>;
  /** Returns the host's scheduled meetings, without passcodes and alternative hosts. */
  meetingsOf(host: string, signal?: AbortSignal): Promise<ZoomMeeting[]>;
  /** A client that does not use cached people: someone may have been deactivated a moment ago. */
  withoutCache(): ZoomClient;
  /** Ends all connections; running calls fail. */
  close(): Promise<void>;
}
