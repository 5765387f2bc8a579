/** A calendar event's page, as a signed-in person sees it (§12 `html_url`, §14.2, §14.4). */
import { beforeAll, describe, expect, test } from 'vitest';
import { DOMAIN } from '../../../src/seed/school.ts';
import { form, type Json, useSandbox } from './client.ts';

const client = useSandbox({ now: () => new Date('2026-11-21T09:00:00Z') });
const BLOCK =
  '<div class="lms-admin-zoom"><p>Zoom: <a href="https://zoom.example/j/81234567890?pwd=x">Join the meeting</a></p></div>';
const times = { start_at: '2026-12-02T10:00:00Z', end_at: '2026-12-02T11:30:00Z' };

const make = async (fields: object) => {
  const made = await client.send('POST', '/api/v1/calendar_events', {
    calendar_event: { title: 'Valuation <b>3</b>', ...times, ...fields },
  });
  expect(made.status, made.text).toBe(201);
  return made.body;
};

/** Signs a person in on the pages. @returns the cookie, and where the sign-in redirects */
async function enter(login: string, to = ''): Promise<{ cookie: string; next: string | null }> {
  const answer = await client.ask('/login/oauth2/login', { token: null, ...form({ login, to }) });
  return {
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
    next: answer.headers.get('location'),
  };
}

async function seen(url: string, cookie: string) {
  const { status, text, headers } = await client.ask(url, { token: null, headers: { cookie } });
  return { status, text, headers, words: text.replace(/^[\s\S]*<main>/, '').replaceAll(/<[^>]*>/g, ' ') };
}

const loginOf = (user: number) => client.world.loginsOf(user)[0]?.unique_id ?? '';

/** Finds a published course with three sections, and a student who is in only one of them. */
function courseOf() {
  const { world } = client;
  for (const course of world.courses.values()) {
    const sections = world.sections.by.course.get(course.id).filter((s) => s.workflow_state === 'active');
    if (course.workflow_state !== 'available' || sections.length < 3) continue;
    const enrolled = world.enrollments.by.course.get(course.id);
    const student = enrolled.find(
      (one) =>
        one.type === 'StudentEnrollment' &&
        one.workflow_state === 'active' &&
        enrolled.filter((other) => other.user_id === one.user_id).length === 1,
    );
    if (student) return { course, sections, student };
  }
  throw new Error('The seed has no such course');
}

let of: ReturnType<typeof courseOf>;
let alma: string;
let student: string;
beforeAll(async () => {
  of = courseOf();
  ({ cookie: alma } = await enter(`alma.reyes@${DOMAIN}`));
  ({ cookie: student } = await enter(loginOf(of.student.user_id)));
});

describe('ZC-01 a student’s view of an event', () => {
  test('§12 shows the title, course, time in the viewer’s zone, place and the link in the text, but no scripts', async () => {
    const event = await make({
      context_code: `course_${of.course.id}`,
      location_name: 'Room 12',
      location_address: 'https://zoom.example/j/81234567890',
      description: `<p onclick="x()">Bring <em>a laptop</em></p>${BLOCK}`,
    });
    expect(event['html_url']).toBe(
      `${client.url}/calendar?event_id=${String(event['id'])}&include_contexts=course_${of.course.id}`,
    );
    const page = await seen(String(event['html_url']), student);
    expect(page.status).toBe(200);
    for (const words of [
      'Valuation &lt;b&gt;3',
      of.course.name,
      'Location: Room 12',
      'Address: https://zoom.example/j/81234567890',
      '2 December 2026',
    ])
      expect(page.words).toContain(words);
    expect(page.text).toContain(`<em>a laptop</em></p>${BLOCK}`);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    const { cookie: carla } = await enter(`carla.singh@${DOMAIN}`);
    expect((await seen(String(event['html_url']), carla)).words).toMatch(
      /18:00\s*–\s*19:30.*Asia\/Singapore/s,
    );
    expect((await seen(String(event['html_url']), alma)).words).toMatch(/11:00\s*–\s*12:30.*Europe\/Paris/s);
  });

  test("§14.2 times by section: an admin sees all of them; a student sees only their own, and nothing from other sections' events", async () => {
    const data = of.sections.map((section, at) => ({
      context_code: `course_section_${section.id}`,
      start_at: `2026-12-0${at + 1}T10:00:00Z`,
      end_at: `2026-12-0${at + 1}T11:00:00Z`,
    }));
    const parent = await make({
      context_code: `course_${of.course.id}`,
      description: BLOCK,
      child_event_data: data,
    });
    const own = of.sections.find((section) => section.id === of.student.course_section_id);
    const other = of.sections.find((section) => section !== own);
    const rows = ({ text }: { text: string }) =>
      [...text.matchAll(/<tr><td>(.*?)<\/td>/g)].map((match) => match[1]);
    expect(rows(await seen(String(parent['html_url']), alma))).toHaveLength(data.length);
    expect(rows(await seen(String(parent['html_url']), student))).toEqual([own?.name]);
    const child = (section: typeof own) =>
      parent['child_events']?.find(
        (one) => String(one['context_code']) === `course_section_${section?.id}`,
      ) as Json;
    const mine = await seen(String(child(own)['html_url']), student);
    expect(mine).toMatchObject({ status: 200 });
    expect(mine.words).toContain(`(${own?.name})`);
    expect(mine.text).toContain(BLOCK);
    expect((await seen(String(child(other)['html_url']), student)).status).toBe(403);
  });

  test('§14.3 the page says if an event is unknown, deleted, forbidden or undated; visitors must sign in first', async () => {
    const event = await make({ context_code: 'user_1' });
    const url = String(event['html_url']);
    expect(await seen('/calendar', alma)).toMatchObject({ status: 404 });
    expect((await seen('/calendar?event_id=99999999', alma)).words).toContain('does not have an event');
    const forbidden = await seen(url, student);
    expect(forbidden.status).toBe(403);
    expect(forbidden.text).not.toContain('Valuation');
    await client.send('DELETE', `/api/v1/calendar_events/${String(event['id'])}`, {});
    const own = await make({ context_code: `course_${of.course.id}`, start_at: null, end_at: null });
    expect((await seen(String(own['html_url']), alma)).words).toContain('No date');
    await client.send('DELETE', `/api/v1/calendar_events/${String(own['id'])}`, {});
    const deleted = await seen(String(own['html_url']), student);
    expect(deleted.status).toBe(404);
    expect(deleted.words).toContain('has been deleted');

    const path = `/calendar?event_id=${String(own['id'])}&include_contexts=course_${of.course.id}`;
    const away = await client.ask(path, { token: null });
    expect(away.status).toBe(302);
    const to = new URL(away.headers.get('location') ?? '', client.url).searchParams.get('to') ?? '';
    expect(to).toBe(path);
    expect((await enter(`alma.reyes@${DOMAIN}`, to)).next).toBe(path);
    for (const foreign of ['https://elsewhere.example/', '//elsewhere.example/calendar?', '/calendar?x=//y'])
      expect((await enter(`alma.reyes@${DOMAIN}`, foreign)).next, foreign).toBe('/');
  });
});

test('§14.4 a PUT keeps the marked block in a description, whatever else is removed', async () => {
  const event = await make({ context_code: 'user_1', description: '<p>Old</p>' });
  const description = `<p>Old</p><script>x</script>${BLOCK}`;
  const changed = await client.send('PUT', `/api/v1/calendar_events/${String(event['id'])}`, {
    calendar_event: { description },
  });
  expect(changed.body).toMatchObject({ description: `<p>Old</p>${BLOCK}`, ...times });
});
