/** Pages behind links: a meeting's page, calendar files, the front page (Zoom reference §8, §11). */
import { expect, test } from 'vitest';
import { ALMA, DAY, FARID, HUGO, useZoom } from './client.ts';

const zoom = useZoom();
const page = async (url: unknown) => {
  const { status, text } = await zoom.ask('GET', String(url));
  return { status, text: text.replace(/^[\s\S]*<main>/, '').replaceAll(/<[^>]*>/g, ' ') };
};

test('a student sees topic, time and host, and whether the link’s passcode is right', async () => {
  const meeting = await zoom.make(HUGO, { topic: 'Valuation <b>3</b>', timezone: 'Asia/Singapore' });
  const link = String(meeting['join_url']);
  const { status, text } = await page(link);
  expect(status).toBe(200);
  for (const words of ['Valuation &lt;b&gt;3', 'Oct 5, 2026, 5:00 PM Asia/Singapore', 'Hugo Tan', 'is right'])
    expect(text).toContain(words);
  expect((await page(`${link}x`)).text).toContain('is wrong');
  expect((await page(link.split('?')[0])).text).toContain('the link does not contain one');
  const open = await zoom.make(FARID);
  expect((await page(open['join_url'])).text).toContain('No passcode is needed');
});

test('a personal room’s link leads to the meeting that it names', async () => {
  const meeting = await zoom.make(ALMA, { topic: 'In my room', settings: { use_pmi: true } });
  expect((await page(meeting['join_url'])).text).toContain('In my room');
  const { personal_meeting_url } = (await zoom.call('GET', `/users/${ALMA}`)).body;
  expect((await page(personal_meeting_url)).text).toContain('Alma Reyes');
});

test('§11 a personal link has a name instead of a number, and leads to the room', async () => {
  const { pmi, vanity_url } = (await zoom.call('GET', `/users/${ALMA}`)).body;
  expect(vanity_url).toBe(`${zoom.url}/zoom/my/alma.reyes`);
  const answer = await zoom.ask('GET', `${String(vanity_url)}?pwd=x`);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `/zoom/j/${String(pmi)}?pwd=x`]);
  expect((await zoom.ask('GET', '/zoom/my/nobody')).status).toBe(404);
});

test('links that open in the browser and a webinar’s link have their own pages', async () => {
  const meeting = await zoom.make(HUGO, { topic: 'Valuation' });
  for (const path of [`wc/${String(meeting['id'])}/join`, `wc/join/${String(meeting['id'])}`])
    expect((await page(`${zoom.url}/zoom/${path}`)).text).toContain('Valuation');
  const webinar = (await zoom.call('GET', '/webinars/97204118836')).body;
  expect(await page(webinar['join_url'])).toMatchObject({ status: 200 });
  expect((await page(`${zoom.url}/zoom/w/81234567890`)).status).toBe(404);
});

test('unknown, expired and deleted meetings have an error page, and so does a rejected start link', async () => {
  const [deleted, expired] = [await zoom.make(HUGO), await zoom.make(HUGO)];
  expect((await page(`${zoom.url}/zoom/j/81234567890`)).text).toContain('not known');
  await zoom.call('DELETE', `/meetings/${String(deleted['id'])}`);
  expect(await page(deleted['join_url'])).toMatchObject({ status: 404 });
  expect((await page(deleted['join_url'])).text).toContain('deleted');
  zoom.clock.at += 60 * DAY;
  expect((await page(expired['join_url'])).text).toContain('expired');
  expect((await page(expired['start_url'])).status).toBe(403);
});

test('a calendar file is found by the meeting’s number, and can be limited to the host', async () => {
  const meeting = await zoom.make(HUGO, { topic: `Cases, part 1; ${'é'.repeat(60)}` });
  const path = `/zoom/meeting/${String(meeting['id'])}/ics`;
  const { status, headers, text } = await zoom.ask('GET', path);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  expect(text).toContain('DTSTART:20261005T090000Z\r\nDTEND:20261005T100000Z\r\n');
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  const unfolded = text.replaceAll('\r\n ', '');
  expect(unfolded).toContain(String.raw`SUMMARY:Cases\, part 1\; éé`);
  expect(unfolded).toContain(String(meeting['join_url']));
  await zoom.set({ icsNeedsHost: true });
  const closed = await zoom.ask('GET', path);
  expect([closed.status, closed.headers.get('location')]).toEqual([302, '/zoom/signin']);
  expect((await zoom.ask('GET', '/zoom/meeting/81234567890/ics')).status).toBe(302);
});

test('the invitation to a recurring meeting links to a calendar file that anyone can open', async () => {
  const meeting = await zoom.make(HUGO, { type: 8, recurrence: { type: 2, end_times: 3 } });
  const { body } = await zoom.call('GET', `/meetings/${String(meeting['id'])}/invitation`);
  const link = /http\S+icsToken=\S+/.exec(String(body['invitation']))?.[0] ?? '';
  expect(link).not.toContain(String(meeting['id']));
  await zoom.set({ icsNeedsHost: true });
  expect((await zoom.ask('GET', link)).text).toContain('BEGIN:VCALENDAR');
  expect((await zoom.ask('GET', `${link}x`)).status).toBe(302);
});

test('the front page shows how an app signs in and who can schedule for whom', async () => {
  const { text } = await page(`${zoom.url}/`);
  for (const words of ['/zoom/oauth/token', 'sandbox-zoom-account', 'sandbox-zoom-client', 'Basic'])
    expect(text).toContain(words);
  expect(text).toMatch(/Bruno Keller\s+bruno\.keller@northbridge\.example\s+Licensed\s+Hugo Tan/);
});
