/**
 * Changes made by hosts in Zoom: alternative hosts and started meetings; each event's line reports its own
 * changes.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  change,
  HOSTS,
  itemsOf,
  numberIn,
  previewOf,
  publishing,
  reviewOf,
  rowOf,
  runOf,
  titleIn,
  ZoomCampus,
} from './campus.ts';
import { ACCESS } from './run-support.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
beforeAll(async () => {
  server = await startTestServer({ sandbox: { throttle: false }, access: ACCESS });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());

const numberOf = async (id: number) => numberIn((await campus.event(id)).description);
const coHostsOf = async (number: number) =>
  ((await campus.meeting(number))?.settings.alternative_hosts ?? '').split(';').filter(Boolean).sort();
const setCoHosts = (number: number, ...emails: string[]) =>
  campus.zoom(`/meetings/${number}`, 'PATCH', { settings: { alternative_hosts: emails.join(';') } });
const turn = (number: number, what: 'start' | 'end') =>
  campus.handle(`zoom/meetings/${number}/${what}`, 'POST');

async function published(owner: string = HOSTS.alma, co_hosts: string[] = []) {
  const course = campus.quietCourse().id;
  const event = (await campus.makeEvent(course, { title: 'Alpha' })).id;
  await change(alma, publishing({ course, events: [event], owner, co_hosts }));
  return { course, event, number: await numberOf(event) };
}

describe('ZC-21 OP-102 alternative hosts added by a host in Zoom', () => {
  test('stay if the list was not changed, and are named beforehand', async () => {
    const { course, event, number } = await published(HOSTS.alma, [HOSTS.hugo]);
    await setCoHosts(number, HOSTS.hugo, HOSTS.farid);
    const hide = publishing({ course, events: [event], visible: false, co_hosts: null });
    const said = await previewOf(alma, hide);
    const both = [HOSTS.farid, HOSTS.hugo];
    expect([said.update, said.disappear]).toEqual([0, 1]);
    expect(said.co_hosts).toMatchObject([{ event, from: both, to: both, known: [HOSTS.hugo] }]);
    await campus.writes();
    await change(alma, hide);
    expect((await campus.writes()).filter((one) => one.includes('/meetings/'))).toEqual([]);
    expect(await coHostsOf(number)).toEqual(both);
    expect((await rowOf(alma, course, event)).zoom_alternative_host).toBe(both.join(','));
    expect((await previewOf(alma, hide)).co_hosts).toEqual([]);
  });

  test("are named beforehand and in the event's line if a list removes or adds people", async () => {
    const { course, event, number } = await published(HOSTS.alma, [HOSTS.hugo]);
    await setCoHosts(number, HOSTS.hugo, HOSTS.farid);
    const asked = publishing({ course, events: [event], co_hosts: [HOSTS.bruno, HOSTS.hugo] });
    const [said] = (await previewOf(alma, asked)).co_hosts;
    expect(said?.from).toEqual(await coHostsOf(number));
    const { id } = await change(alma, asked);
    expect(await coHostsOf(number)).toEqual(said?.to);
    expect((await itemsOf(alma, id)).map(({ message }) => message)).toEqual([
      `Meeting changed. ${HOSTS.farid} is no longer an alternative host. ${HOSTS.bruno} is now an alternative host.`,
    ]);
  });

  test('are also added to a new meeting under a different host', async () => {
    const { course, event, number } = await published(HOSTS.alma, [HOSTS.hugo]);
    await setCoHosts(number, HOSTS.bruno, HOSTS.hugo);
    await change(alma, publishing({ course, events: [event], owner: HOSTS.farid, co_hosts: null }));
    const now = await numberOf(event);
    expect([now === number, await coHostsOf(now)]).toEqual([false, [HOSTS.bruno, HOSTS.hugo]]);
  });

  test.each([
    ['deactivated', { status: 'inactive' }, { status: 'active' }],
    ['without a licence', { type: 1 }, { type: 2 }],
  ])(
    'who are %s now are not added to a new meeting, and are named beforehand; the meeting is still created',
    async (_name, lost, back) => {
      const { event, course } = await published(HOSTS.alma, [HOSTS.bruno, HOSTS.hugo]);
      await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', lost);
      try {
        const asked = publishing({ course, events: [event], owner: HOSTS.farid, co_hosts: null });
        expect((await previewOf(alma, asked)).co_hosts).toMatchObject([
          { event, from: [HOSTS.bruno, HOSTS.hugo], to: [HOSTS.hugo], unlicensed: [HOSTS.bruno] },
        ]);
        const { id, outcome } = await change(alma, asked);
        expect([outcome, await coHostsOf(await numberOf(event))]).toEqual(['done', [HOSTS.hugo]]);
        expect((await itemsOf(alma, id))[0]?.message).toBe(
          `Meeting created, link renewed, old meeting removed. ${HOSTS.bruno} has no Zoom licence, so they are no longer an alternative host.`,
        );
        // An administrator who names such a person gets a message before anything is created.
        const named = await alma.post(ENDPOINTS.zoomPreview, { ...asked, co_hosts: [HOSTS.bruno] });
        expect(named.status).toBe(400);
      } finally {
        await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', back);
      }
    },
  );
});

describe('OP-102 OP-104 a meeting that has started in Zoom at a time other than its event’s', () => {
  test('stays until it has ended if it is to be replaced, and is named in the review as in the run', async () => {
    const { course, event, number } = await published(HOSTS.hugo);
    await turn(number, 'start');
    const asked = publishing({ course, events: [event], owner: HOSTS.alma });
    const said = await previewOf(alma, asked);
    expect([said.make, said.running]).toMatchObject([1, [{ event, link: true, stays: true }]]);
    const { id } = await change(alma, asked);
    expect((await campus.meeting(number))?.id).toBe(number);
    const stays = `Its former meeting (${number}) has started in Zoom. A later run will delete it after it has ended.`;
    expect((await itemsOf(alma, id))[0]?.message).toBe(`Meeting created, link renewed. ${stays}`);
    const review = await reviewOf(alma, course);
    expect([review.meetings.removed, review.told.map(({ warnings }) => warnings)]).toEqual([0, [[stays]]]);
    const { job } = await runOf(server, alma, course);
    expect(job.note).toBe(
      `Nothing was changed. Check 1 more item: “Alpha” (${dayOf(course, (await campus.event(event)).start_at)}): ${stays}`,
    );
    expect((await campus.meeting(number))?.id).toBe(number);
    await turn(number, 'end');
    expect((await reviewOf(alma, course)).meetings.removed).toBe(1);
    await runOf(server, alma, course);
    expect(await campus.meeting(number)).toBeNull();
  });

  test('cannot be transferred or changed, as the preview and the result say', async () => {
    const { course, event, number } = await published(HOSTS.bruno);
    await turn(number, 'start');
    const refused =
      'This meeting is running. Zoom does not allow changes until it has ended. Try again after the meeting.';
    const over = publishing({ course, events: [event], owner: HOSTS.hugo });
    const more = publishing({ course, events: [event], owner: HOSTS.bruno, co_hosts: [HOSTS.farid] });
    for (const asked of [over, more]) {
      const { make, update, problems } = await previewOf(alma, asked);
      expect([make, update, problems]).toMatchObject([0, 0, [{ event, message: refused }]]);
      await campus.writes();
      const { outcome, problem } = await change(alma, asked);
      expect([outcome, problem?.message, await campus.writes()]).toEqual(['failed', refused, []]);
    }
    await campus.changeEvent(event, { title: 'Beta' });
    const review = await reviewOf(alma, course);
    expect([review.meetings.changed, review.told[0]?.problem]).toEqual([0, refused]);
    await turn(number, 'end');
    await runOf(server, alma, course);
    expect((await campus.meeting(number))?.topic).toBe('Beta');
  });
});

const dayOf = (course: number, iso: string) => {
  const timeZone = server.sandbox.world.courses.get(course)?.time_zone ?? 'UTC';
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone } as const;
  return `${new Date(iso).toLocaleDateString('en-GB', day)}, ${timeZone}`;
};

describe('OP-69 ZR-05 changes to a merged event are in its own line', () => {
  async function merged() {
    const { course, event: main, number } = await published();
    const child = (await campus.makeEvent(course, { title: 'Child' }, 6)).id;
    const other = (await campus.makeEvent(course, { title: 'Other' }, 9)).id;
    await change(alma, publishing({ course, events: [other] }));
    await change(alma, { change: 'merge', course, parent: main, events: [child] });
    const { description, location_address } = await campus.event(other);
    const copyOther = () => campus.changeEvent(child, { description, location_address });
    const named = `“Child” (${dayOf(course, (await campus.event(child)).start_at)})`;
    return { course, main, child, number, copyOther, named };
  }

  test('in a change of its main event, if its link was different', async () => {
    const { course, main, child, number, copyOther, named } = await merged();
    await copyOther();
    const { id, figures } = await change(alma, publishing({ course, events: [main] }));
    expect(await numberOf(child)).toBe(number);
    expect((await itemsOf(alma, id)).map(({ message }) => message)).toEqual([`${named}: link renewed.`]);
    expect(figures).toEqual([
      ['events done', 1],
      ['links renewed', 1],
    ]);
  });

  test('in a run that removes its copied link because it is hidden with its main event', async () => {
    const { course, main, child, copyOther } = await merged();
    await change(alma, publishing({ course, events: [main], visible: false }));
    await copyOther();
    const { job, items } = await runOf(server, alma, course);
    expect(await numberOf(child)).toBe(0);
    const lines = new Map(items.map((item) => [titleIn(item), item.message]));
    expect([lines.get('Alpha'), lines.get('Child')]).toEqual([
      'Nothing to do.',
      'Link hidden from students.',
    ]);
    expect(job.figures).toContainEqual(['links hidden', 1]);
  });

  test('OP-103 each section is counted, and a link that was visible before counts as renewed, not as shown', async () => {
    const course = campus.quietCourse().id;
    const body = (name: string) => ({ method: 'POST', body: { course_section: { name } } });
    const sections = ['A', 'B'].map(async (name) =>
      (await campus.api(`courses/${course}/sections`, body(name))).json(),
    );
    const ids = (await Promise.all(sections)) as { id: number }[];
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const child_event_data = ids.map(({ id }, n) => ({
      context_code: `course_section_${id}`,
      start_at: at(50 + n),
      end_at: at(51 + n),
    }));
    const event = (await campus.makeEvent(course, { title: 'Workshop', child_event_data })).id;
    const figuresOf = async (input: ReturnType<typeof publishing>) => {
      const { appear, disappear } = await previewOf(alma, input);
      const figures = new Map((await change(alma, input)).figures);
      const done = [figures.get('links shown') ?? 0, figures.get('links hidden') ?? 0];
      expect(done).toEqual([appear, disappear]);
      return [...done, figures.get('links renewed') ?? 0];
    };
    expect(await figuresOf(publishing({ course, events: [event] }))).toEqual([2, 0, 0]);
    expect(await figuresOf(publishing({ course, events: [event], owner: HOSTS.farid }))).toEqual([0, 0, 2]);
    const hidden = { events: [event], owner: HOSTS.farid, visible: false };
    expect(await figuresOf(publishing({ course, ...hidden }))).toEqual([0, 2, 0]);
  });
});
