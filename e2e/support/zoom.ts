/**
 * Helpers for the Zoom specs: events in the practice Canvas, meetings in the practice Zoom, and actions in
 * the dialogs.
 */
import { expect, type Locator, type Page } from '@playwright/test';
import { fault, type LmsCourse, lmsList, lmsOne, sectionsOf } from './course-enrollment.ts';
import type { Campus } from './processes.ts';

export const ZOOM_PATH = '/zoom-creation';
const TOKEN = { authorization: 'Bearer sandbox-admin-token', 'content-type': 'application/json' };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns the email of a person in the practice Zoom. */
export const mail = (login: string) => `${login}@northbridge.example`;

export interface LmsEvent {
  id: number;
  title: string;
  start_at: string;
  end_at: string;
  description: string | null;
  location_address: string | null;
  child_events?: LmsEvent[];
}
export interface CodedCourse extends LmsCourse {
  course_code: string;
}

/** Courses that a spec in this worker already uses. */
const given = new WeakMap<Campus, Set<number>>();

/**
 * Finds a course without events, a different one for each call.
 * @param sections its minimum number of sections
 */
export async function quietCourse(campus: Campus, sections = 1): Promise<CodedCourse> {
  const taken = given.get(campus) ?? new Set();
  given.set(campus, taken);
  for (const course of await lmsList<CodedCourse>(campus, 'accounts/1/courses?state[]=available')) {
    if (taken.has(course.id) || course.sis_course_id === null) continue;
    const dates = 'start_date=2026-01-01&end_date=2030-01-01';
    const events = await lmsList(campus, `calendar_events?context_codes[]=course_${course.id}&${dates}`);
    if (events.length > 0 || (await sectionsOf(campus, course.id)).length < sections) continue;
    taken.add(course.id);
    return course;
  }
  throw new Error('no course without events is left');
}

/** Returns the start of an hour, the given number of days from now. */
export const inDays = (days: number): Date => new Date(Math.floor((Date.now() + days * DAY) / HOUR) * HOUR);

/** Creates an event of 90 minutes directly in the LMS. @param more additional fields @param days from now */
export async function makeEvent(
  campus: Campus,
  course: number,
  title: string,
  days: number,
  more: Record<string, unknown> = {},
): Promise<LmsEvent> {
  const start = inDays(days);
  const calendar_event = {
    context_code: `course_${course}`,
    title,
    start_at: start.toISOString(),
    end_at: new Date(start.getTime() + 1.5 * HOUR).toISOString(),
    ...more,
  };
  const answer = await fetch(`${campus.lms}/api/v1/calendar_events`, {
    method: 'POST',
    headers: TOKEN,
    body: JSON.stringify({ calendar_event }),
  });
  if (!answer.ok) throw new Error(`${answer.status} for the event ${title}: ${await answer.text()}`);
  return (await answer.json()) as LmsEvent;
}

/** Creates an event with a separate time for each of the course's sections. */
export async function makeSectionEvent(
  campus: Campus,
  course: number,
  title: string,
  days: number,
): Promise<LmsEvent> {
  const sections = await sectionsOf(campus, course);
  const child_event_data = sections.map(({ id }, index) => {
    const start = inDays(days + index);
    return {
      context_code: `course_section_${id}`,
      start_at: start.toISOString(),
      end_at: new Date(start.getTime() + HOUR).toISOString(),
    };
  });
  return makeEvent(campus, course, title, days, { child_event_data });
}

export const eventOf = (campus: Campus, id: number) => lmsOne<LmsEvent>(campus, `calendar_events/${id}`);

/** Reads the number of the meeting in an event's text, or returns null if there is none. */
export async function shownMeeting(campus: Campus, event: number): Promise<string | null> {
  const { description } = await eventOf(campus, event);
  return /lms-admin-zoom[\s\S]*\/zoom\/j\/(\d+)/.exec(description ?? '')?.[1] ?? null;
}

/** Sets a fault in the practice Zoom. */
export const zoomFault = (campus: Campus, spec: Record<string, unknown>) =>
  fault(campus, { system: 'zoom', ...spec });

/** Opens the page that a student sees after following a link, beside the console. */
export async function joinPage(page: Page, link: string): Promise<string> {
  const other = await page.context().newPage();
  try {
    await other.goto(link);
    return await other.getByRole('main').or(other.locator('body')).first().innerText();
  } finally {
    await other.close();
  }
}

/** Finds a course's full-screen dialog. */
export const courseDialog = (page: Page, course: CodedCourse) =>
  page.getByRole('dialog', { name: course.course_code, exact: true });
export const eventTable = (page: Page) => page.getByRole('table', { name: 'Calendar events', exact: true });
export const publishDialog = (page: Page) =>
  page.getByRole('dialog', { name: 'Publish Zoom Links', exact: true });
export const mergeDialog = (page: Page) =>
  page.getByRole('dialog', { name: 'Merge Zoom Links', exact: true });
export const unmergeDialog = (page: Page) =>
  page.getByRole('dialog', { name: 'Unmerge Zoom Link', exact: true });
export const rowOf = (page: Page, title: string | RegExp) =>
  eventTable(page).getByRole('row').filter({ hasText: title });

/** Reads the cells of a row, by the text of their column heads. */
export async function cellsOf(page: Page, title: string | RegExp): Promise<Record<string, string>> {
  const heads = await eventTable(page).getByRole('columnheader').allInnerTexts();
  const cells = await rowOf(page, title).first().getByRole('cell').allInnerTexts();
  // The first cell has the checkbox, whose column head has no text.
  const own = cells.slice(cells.length - heads.filter((head) => head.trim() !== '').length);
  return Object.fromEntries(
    heads.filter((head) => head.trim() !== '').map((head, index) => [head.trim(), own[index]?.trim() ?? '']),
  );
}

/** Looks up a course, and waits for its events. */
export async function lookUp(page: Page, course: CodedCourse): Promise<Locator> {
  const field = page.getByRole('textbox', { name: 'Course ID', exact: true });
  await field.fill(String(course.id));
  await field.press('Enter');
  const dialog = courseDialog(page, course);
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText('Loading..', { exact: true })).toBeHidden();
  return dialog;
}

/** Selects events with the keyboard: content that appears above the table would move it away from a pointer. */
export async function select(page: Page, ...titles: readonly (string | RegExp)[]): Promise<void> {
  for (const title of titles) {
    const box = rowOf(page, title).getByRole('checkbox');
    await box.press('Space');
    await expect(box).toBeChecked();
  }
}

/** Selects the host in 'Publish Zoom Links', with the Owner switch on. */
export async function chooseHost(page: Page, name: string): Promise<void> {
  const dialog = publishDialog(page);
  await dialog.getByRole('switch', { name: 'Owner', exact: true }).check();
  const field = dialog.getByRole('combobox', { name: 'Zoom Owner', exact: true });
  await field.fill(name);
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
  await expect(field).toHaveValue(name);
}

/** Waits until the preview is loaded, and returns it. */
export async function preview(dialog: Locator): Promise<Locator> {
  const part = dialog.getByRole('region', { name: 'What will happen', exact: true });
  await expect(part).toHaveAttribute('aria-busy', 'false');
  return part;
}

/** Finds the success message, in the documented words (ZC-24). */
export const saved = (dialog: Locator) =>
  dialog.getByRole('alert').filter({ hasText: 'Successfully event(s) updated.' });

/** Saves, and waits until the dialog confirms it. */
export async function saveAndDone(dialog: Locator, button = 'Save'): Promise<void> {
  await preview(dialog);
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await expect(saved(dialog)).toBeVisible({ timeout: 60_000 });
  // After saving, no badge says that there were 0 events (ZC-18).
  await expect(dialog.getByRole('img', { name: '0 events selected' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Publishes events to students, with a host. */
export async function publish(page: Page, host: string, ...titles: readonly string[]): Promise<void> {
  await select(page, ...titles);
  await page.getByRole('button', { name: 'Manage Zoom Links' }).click();
  const dialog = publishDialog(page);
  await expect(dialog).toBeVisible();
  await chooseHost(page, host);
  await dialog.getByRole('switch', { name: 'Visibility', exact: true }).check();
  await saveAndDone(dialog);
}

/** Calls the practice Zoom directly. @returns the answer's status */
export async function inZoom(campus: Campus, path: string, method = 'GET'): Promise<number> {
  const zoom = `${campus.lms.replace('127.0.0.1', 'localhost')}/zoom`;
  const basic = Buffer.from('sandbox-zoom-client:sandbox-zoom-secret').toString('base64');
  const answer = await fetch(`${zoom}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'account_credentials', account_id: 'sandbox-zoom-account' }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  return (await fetch(`${zoom}/v2${path}`, { method, headers })).status;
}
