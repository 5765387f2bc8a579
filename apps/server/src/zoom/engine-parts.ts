/** Parts for the engine of a course. */
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import type { ZoomClient } from '../zoom-api/types.ts';
import type { Calendar } from './calendar.ts';
import type { CourseLease } from './course-lease.ts';
import type { HostDays } from './host-days.ts';
import type { MeetingRow, RecordStore } from './records.ts';

/** For work that cannot be cancelled. */
export const NOT_CANCELLED = new AbortController().signal;

export interface MeetingsParts {
  zoom: ZoomClient;
  days: HostDays;
  records: RecordStore;
  /** Checked before each call that changes something. */
  lease: Pick<CourseLease, 'hold'>;
  courseId: number;
  zone: string;
  /** Login of the person for whom the work is done. */
  by: string;
  signal: AbortSignal;
  /** Aborts when no further meeting may be started; the current one is still completed. */
  cancel: AbortSignal;
  pause: (ms: number) => Promise<void>;
  /** Whether any text of the course shows students the meeting. */
  isNamed: (number: number) => boolean;
  /** Stored data of meetings, by number. */
  known: Map<number, MeetingRow>;
}

export interface EngineParts extends Omit<MeetingsParts, 'courseId' | 'zone' | 'known' | 'isNamed'> {
  canvas: CanvasClient;
  token: CanvasToken;
  calendar: Calendar;
}

/** Desired state of an event; null keeps the value of the record. */
export interface DesiredState {
  /** Email of the host. */
  readonly owner: string | null;
  readonly coHosts: readonly string[] | null;
  readonly visible: boolean | null;
}

/** Keeps everything as recorded. An event without a record gets the placeholder account as host, and is hidden. */
export const AS_RECORDED: DesiredState = { owner: null, coHosts: null, visible: null };
