/** What the Zoom client takes and gives. */
import { type FailureDetails, OutsideError } from '../outbound/errors.ts';
import { AppError } from '../platform/errors.ts';
import type { OutsideErrorKind, OutsideSystem } from '../platform/outside.ts';
import { type ZoomReason, zoomWords } from './words.ts';

/** How texts name it. */
export const ZOOM = 'Zoom';

/** A call to Zoom that failed. */
export class ZoomError extends OutsideError {
  readonly reason: ZoomReason | null;
  /** Zoom's own number of the failure. */
  readonly code: number | null;
  /** Email or id of the person that it is about; null: no one, or Zoom does not say. */
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

  /** In the words of its reason. */
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
  /** Whether the user can hold meetings at all: signed up, and not deactivated. */
  active: boolean;
  /** Whether meetings may be theirs: active, with a licence. */
  licensed: boolean;
}

export interface ZoomMeeting {
  number: number;
  hostId: string;
  /** Email of the host; null where an answer leaves it out. */
  hostEmail: string | null;
  topic: string;
  /** ISO, UTC. */
  start: string | null;
  /** Minutes. */
  duration: number | null;
  /** As Zoom says it, passcode within: the only link that is published. */
  joinUrl: string;
  /** Emails, in small letters, sorted. */
  coHosts: readonly string[];
  /** Begins with the marker of a meeting that we made; lists cut it to 250 characters. */
  agenda: string;
  /** ISO. */
  createdAt: string;
  /** Whether people are in it now: Zoom neither changes nor deletes it until it has ended. Entries of a list do not tell. */
  running: boolean;
}

export interface NewMeeting {
  topic: string;
  /** Stands at the start of the agenda. */
  marker: string;
  /** ISO, UTC. */
  start: string;
  /** Minutes. */
  duration: number;
  /** IANA name of the zone it is shown in. */
  zone: string;
  coHosts: readonly string[];
}

/** Only what is given is changed. */
export type MeetingChange = Partial<Omit<NewMeeting, 'marker'>>;

export interface ZoomClient extends OutsideSystem {
  /** False: no account is set up, and every call throws in words that say so. */
  readonly configured: boolean;
  /** The addresses that join links begin with, without a trailing slash (`https://school.zoom.us`). */
  readonly links: readonly string[];
  /** Email of the placeholder owner (ZC-20). */
  readonly defaultOwner: string;
  /** A user by email or id, whatever their state; null: there is none. */
  user(who: string, signal?: AbortSignal): Promise<ZoomUser | null>;
  /** Who may own meetings: the schedulers of the default owner with their names, or those of `ZOOM_OWNERS`; by name (OP-102). */
  owners(signal?: AbortSignal): Promise<{ default: ZoomUser; owners: readonly ZoomUser[] }>;
  /** Whether a meeting of `from` could be handed to `to`: `to` is a scheduler of `from`, both are licensed. */
  mayHandOver(from: string, to: string, signal?: AbortSignal): Promise<boolean>;
  /** Makes a meeting. Never repeated by itself after an uncertain answer: then `sent` of the failure is `maybe`. */
  create(host: string, meeting: NewMeeting, signal?: AbortSignal): Promise<ZoomMeeting>;
  /** Null: Zoom does not have it any more. */
  read(number: number, signal?: AbortSignal): Promise<ZoomMeeting | null>;
  /** @throws ZoomError `meeting-gone` */
  update(number: number, change: MeetingChange, signal?: AbortSignal): Promise<void>;
  /** Hands a meeting over in place, number and link staying. @returns whether Zoom then names the new host */
  handOver(number: number, to: string, signal?: AbortSignal): Promise<boolean>;
  /** One that is gone already is as good. */
  remove(number: number, signal?: AbortSignal): Promise<void>;
  /** The host's meetings whose agenda begins with the marker, the oldest first. */
  withMarker(host: string, marker: string, signal?: AbortSignal): Promise<ZoomMeeting[]>;
  /** The host's meetings that are scheduled, without passcodes and co-hosts. */
  meetingsOf(host: string, signal?: AbortSignal): Promise<ZoomMeeting[]>;
  /** The same client, which asks for people itself: someone may have been deactivated a moment ago. */
  afresh(): ZoomClient;
  /** Ends all connections; running calls fail. */
  close(): Promise<void>;
}
