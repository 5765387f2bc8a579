/** Helpers for the Zoom Event Run specs: courses and events in the practice LMS, and a person's actions. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { expect, type Page } from '@playwright/test';
import { lmsList, lmsOne } from './course-enrollment.ts';
import type { Campus } from './processes.ts';

export const PATH = '/zoom-events-run';
export const COMPLETED =
  'Zoom process created, Zoom Links will update in a few minutes. You can leave the page.';

export const field = (page: Page) => page.getByRole('textbox', { name: 'Course ID' });
export const adding = (page: Page) => page.getByRole('textbox', { name: 'Courses to add' });
export const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm' });
export const heading = (page: Page) => page.getByRole('heading', { level: 2 }).first();
export const queueTab = (page: Page) => page.getByRole('tab', { name: 'Add to Queue' });
export const queueTable = (page: Page) => page.getByRole('table', { name: 'Queue' });
/** Finds the rows of the queue, without its head. */
export const queued = (page: Page) =>
  queueTable(page)
    .getByRole('row')
    .filter({ hasNot: page.getByRole('columnheader') });
/** Finds a text on the screen; announcements for screen readers are elsewhere. */
export const shown = (page: Page, text: string | RegExp) => page.getByRole('main').getByText(text).first();

export interface Course {
  id: number;
  name: string;
  course_code: string;
  workflow_state: string;
}

/** Finds a programme's published courses. @param from skips those that other tests use */
export async function someCourses(
  campus: Campus,
  account: number,
  from: number,
  count: number,
): Promise<Course[]> {
  const all = await lmsList<Course>(campus, `accounts/${account}/courses`);
  const found = all.filter((one) => one.workflow_state === 'available').slice(from, from + count);
  if (found.length < count) throw new Error('too few courses');
  return found;
}

export interface CalendarEvent {
  id: number;
  html_url: string;
  start_at?: string;
  description: string | null;
}

const DAY_MS = 86_400_000;

async function write(
  campus: Campus,
  method: 'POST' | 'PUT',
  path: string,
  calendar_event: object,
): Promise<CalendarEvent> {
  const response = await fetch(`${campus.lms}/api/v1/calendar_events${path}`, {
    method,
    headers: { authorization: 'Bearer sandbox-admin-token', 'content-type': 'application/json' },
    body: JSON.stringify({ calendar_event }),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as CalendarEvent;
}

/** Creates a calendar event of one hour in a few days. */
export function eventIn(campus: Campus, course: Course, title: string, days = 3): Promise<CalendarEvent> {
  const start = Math.floor(Date.now() / DAY_MS + days) * DAY_MS + 36_000_000;
  return write(campus, 'POST', '', {
    context_code: `course_${course.id}`,
    title,
    description: '<p>Bring your notes.</p>',
    start_at: new Date(start).toISOString(),
    end_at: new Date(start + 3_600_000).toISOString(),
  });
}

/** Changes the event's text in the LMS, as another person would. */
export async function editText(campus: Campus, { id }: CalendarEvent, description: string): Promise<void> {
  await write(campus, 'PUT', `/${id}`, { description });
}

export const eventNow = (campus: Campus, { id }: CalendarEvent) =>
  lmsOne<CalendarEvent>(campus, `calendar_events/${id}`);

/**
 * Gives an event its meeting and shows the link to students, as Zoom Creation does, and waits until this is
 * done.
 */
export async function publish(page: Page, campus: Campus, event: CalendarEvent): Promise<void> {
  const asked = await page.request.post(campus.url + ENDPOINTS.zoomUpdateOwner, {
    headers: { origin: campus.url },
    data: { calendar_event: event.id, host: 'alma.reyes@northbridge.example', visibility: 1 },
  });
  expect(asked.ok(), await asked.text()).toBe(true);
  await expect
    .poll(async () => (await eventNow(campus, event)).description, { timeout: 60_000 })
    .toContain('lms-admin-zoom');
}
