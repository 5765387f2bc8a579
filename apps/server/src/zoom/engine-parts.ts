/** What the engine of a course works with. */
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import type { ZoomClient } from '../zoom-api/types.ts';
import type { Calendar } from './calendar.ts';
import type { CourseLease } from './course-lease.ts';
import type { HostDays } from './host-days.ts';
import type { MeetingRow, RecordStore } from './records.ts';

/** Of work that cannot be cancelled. */
export const NOT_CANCELLED = new AbortController().signal;

export interface MeetingsParts {
  zoom: ZoomClient;
  days: HostDays;
  records: RecordStore;
  /** Held before each call that changes something. */
  lease: Pick<CourseLease, 'hold'>;
  courseId: number;
  zone: string;
  /** Login of whom it is done for. */
  by: string;
  signal: AbortSignal;
  /** Aborts when no further meeting is to be begun; the one under way is brought to its end. */
  cancel: AbortSignal;
  pause: (ms: number) => Promise<void>;
  /** Whether students of the course have a meeting before them in whatever text. */
  isNamed: (number: number) => boolean;
  /** What is known of meetings, by number. */
  known: Map<number, MeetingRow>;
}

export interface EngineParts extends Omit<MeetingsParts, 'courseId' | 'zone' | 'known' | 'isNamed'> {
  canvas: CanvasClient;
  token: CanvasToken;
  calendar: Calendar;
}

/** What is wished of an event; null: what the record says. */
export interface ZoomWish {
  /** Email of the host. */
  readonly owner: string | null;
  readonly coHosts: readonly string[] | null;
  readonly visible: boolean | null;
}
