/** Meetings of calendar events, and the queue that keeps them up to date. */
import type { RunDays } from '@lms-admin/contract/zoom-runs';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { canvasId, moment } from './columns.ts';

/** Zoom meetings of calendar events, as Zoom last described them. */
export const zoomMeetings = pgTable(
  'zoom_meetings',
  {
    /** LMS of the events: a practice LMS reuses numbers after a reset. */
    lms: text('lms').notNull(),
    number: canvasId('number').notNull(),
    hostId: text('host_id').notNull(),
    hostEmail: text('host_email').notNull(),
    joinUrl: text('join_url').notNull(),
    topic: text('topic').notNull(),
    startAt: moment('start_at'),
    minutes: integer('minutes'),
    /** Emails of alternative hosts, separated by commas. */
    coHosts: text('co_hosts').notNull().default(''),
    /** When LMS Admin found that Zoom no longer has the meeting. */
    goneAt: moment('gone_at'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.lms, table.number] })],
);

/** A meeting being created, recorded before Zoom is called, so that it is looked for before another attempt. */
export interface ZoomMaking {
  /** Text at the start of the meeting's agenda. */
  marker: string;
  /** Email of the host. */
  host: string;
  /** Time as ISO text. */
  since: string;
  /** The meeting that the new one replaces, which is removed once nothing links to it. */
  old: number | null;
  /** Earlier meetings that could not be removed yet. */
  older?: number[];
  /** Whether the meeting has been created: then only the old one still has to be removed. */
  made: boolean;
  /**
   * Whether the meeting was created again because it was not found: the first one may exist after all, and is looked
   * for later.
   */
  doubtful?: boolean;
}

/**
 * Data about an occasion in a course's calendar. Its key is the reservation if it has one, since synchronisers delete
 * and recreate their events; otherwise it is the event (OP-64).
 */
export const zoomEvents = pgTable(
  'zoom_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    lms: text('lms').notNull(),
    courseId: canvasId('course_id').notNull(),
    /** 0 for an event of the course, even if it is given section by section. */
    sectionId: canvasId('section_id').notNull().default(0),
    reservationId: text('reservation_id'),
    /** The latest event of this occasion, with its title and times. */
    eventId: canvasId('event_id').notNull(),
    title: text('title').notNull(),
    startAt: moment('start_at'),
    endAt: moment('end_at'),
    /** Whether the event's host is needed at that time: not if the event has section times or was deleted. */
    takesPlace: boolean('takes_place').notNull().default(true),
    /** Record of the main event that it is merged with, even for a section's event; its own meeting is kept. */
    parentId: bigint('parent_id', { mode: 'number' }),
    /** Number of the event's own meeting. */
    meeting: canvasId('meeting'),
    /** Whether students see the link; a section's event follows the event of the course. */
    visible: boolean('visible').notNull().default(false),
    making: jsonb('making').$type<ZoomMaking>(),
    updatedBy: text('updated_by').notNull(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('zoom_events_reservation')
      .on(table.lms, table.courseId, table.reservationId, table.sectionId)
      .where(sql`reservation_id is not null`),
    uniqueIndex('zoom_events_event').on(table.lms, table.eventId).where(sql`reservation_id is null`),
    index('zoom_events_course').on(table.lms, table.courseId),
    index('zoom_events_parent').on(table.parentId),
    index('zoom_events_meeting').on(table.lms, table.meeting),
  ],
);

/** The job that changes the meetings of a course: one at a time, since events share meetings and texts. */
export const zoomCourses = pgTable(
  'zoom_courses',
  {
    lms: text('lms').notNull(),
    courseId: canvasId('course_id').notNull(),
    claimedBy: uuid('claimed_by').notNull(),
    claimedUntil: moment('claimed_until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.lms, table.courseId] })],
);

/** Meetings that LMS Admin created and changed for a host on a day (UTC) (OP-104). */
export const zoomHostDays = pgTable(
  'zoom_host_days',
  {
    /** Email in lower case. */
    host: text('host').notNull(),
    /** `2026-11-22` */
    day: text('day').notNull(),
    used: integer('used').notNull(),
  },
  (table) => [primaryKey({ columns: [table.host, table.day] })],
);

/** Courses whose meetings are updated once a day (OP-62). */
export const zoomQueue = pgTable(
  'zoom_queue',
  {
    lms: text('lms').notNull(),
    courseId: canvasId('course_id').notNull(),
    /** The admin who added it and owns its runs. */
    login: text('login').notNull(),
    name: text('name').notNull(),
    canvasUserId: canvasId('canvas_user_id').notNull(),
    /** The grant whose token is used; null for the service token. */
    grantId: uuid('grant_id'),
    days: integer('days').$type<RunDays>().notNull(),
    addedAt: moment('added_at').notNull().defaultNow(),
    /** The day of the course's latest run (`2026-11-22`); null before the first. */
    lastDay: text('last_day'),
    lastRunAt: moment('last_run_at'),
    lastJob: uuid('last_job'),
  },
  (table) => [primaryKey({ columns: [table.lms, table.courseId] })],
);
