/**
 * Random sequences in several courses that share events, sections, reservations and people. What the preview
 * of a change and the review of a run announce must match the practice LMS and Zoom afterwards, in all of the
 * courses (OP-60, OP-71, OP-102, OP-103).
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { zoomPreview } from '@lms-admin/contract/zoom-preview';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zoomHostDays } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { expectAsPreviewed, expectAsReviewed } from './as-announced.ts';
import {
  change,
  HOSTS,
  type LmsEvent,
  numberIn,
  publishing,
  reviewOf,
  runOf,
  startChange,
  tableOf,
  ZoomCampus,
} from './campus.ts';
import { ACCESS } from './run-support.ts';
import { differenceOf, meetingOf, type Snapshot, snapshotOf } from './seen-now.ts';

/** Number of sequences: 2 in the suite. Each takes as long as three in a single course. */
const SEQUENCES = Math.ceil(Number(process.env['ZOOM_SEQUENCES'] ?? 6) / 3);
const SEED = Number(process.env['ZOOM_SEED'] ?? 23);
const OWNERS = [HOSTS.farid, HOSTS.farid, HOSTS.hugo, HOSTS.bruno, HOSTS.standard];

let server: TestServer;
let campus: ZoomCampus;
let people: Browser[];
beforeAll(async () => {
  server = await startTestServer({ access: ACCESS, sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  people = [await server.signIn(PEOPLE.all), await server.signIn(PEOPLE.custom)];
});
afterAll(() => server.close());

const at = fc.nat({ max: 17 });
const course = fc.nat({ max: 2 });
const who = fc.nat({ max: 1 });
const owner = fc.constantFrom(...OWNERS);
const unsteady = fc.constantFrom(HOSTS.bruno, HOSTS.hugo);
const some = fc.uniqueArray(at, { minLength: 1, maxLength: 4 });
const is = <const T extends string>(name: T) => fc.constant(name);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: is('publish'),
      who,
      course,
      some,
      owner,
      visible: fc.constantFrom(true, true, false),
      co: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: is('merge'), who, course, at, some }) },
  { weight: 2, arbitrary: fc.record({ do: is('unmerge'), who, course, at }) },
  { weight: 4, arbitrary: fc.record({ do: is('run'), who, course }) },
  { weight: 5, arbitrary: fc.record({ do: is('move'), course, at, to: course }) },
  { weight: 2, arbitrary: fc.record({ do: is('copy'), course, at, to: course }) },
  { weight: 1, arbitrary: fc.record({ do: is('paste'), course, at, from: course, other: at }) },
  { weight: 2, arbitrary: fc.record({ do: is('synchronise'), course, at }) },
  { weight: 1, arbitrary: fc.record({ do: is('strip'), course, at }) },
  { weight: 1, arbitrary: fc.record({ do: is('passcode'), course, at }) },
  { weight: 2, arbitrary: fc.record({ do: is('delete-meeting'), course, at }) },
  { weight: 1, arbitrary: fc.record({ do: is('rename'), course, at }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: is('time'),
      course,
      at,
      when: fc.constantFrom('later', 'past', 'none', 'day'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: is('sections'), course, at, count: fc.nat({ max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: is('cross-list'), course, at, to: course }) },
  { weight: 1, arbitrary: fc.record({ do: is('delete-event'), course, at }) },
  { weight: 1, arbitrary: fc.record({ do: is('host-off'), owner: unsteady }) },
  { weight: 1, arbitrary: fc.record({ do: is('host-on'), owner: unsteady }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Given = LmsEvent & { hidden: boolean };

const hours = (count: number) =>
  new Date(Math.floor(Date.now() / 3_600_000 + count) * 3_600_000).toISOString();
const link = /https?:\/\/[^\s"'<>]+\/j\/\d+/;

class Play {
  readonly #courses = [0, 1, 2].map(() => campus.quietCourse().id);
  readonly #sections: number[][] = [];
  readonly #off = new Set<string>();
  readonly #done: string[] = [];

  async begin(): Promise<void> {
    for (const [n, id] of this.#courses.entries()) {
      const sections: number[] = [];
      for (const name of ['A', 'B', 'C']) {
        const body = { course_section: { name: `Group ${n}${name}` } };
        const made = await campus.api(`courses/${id}/sections`, { method: 'POST', body });
        sections.push(((await made.json()) as { id: number }).id);
      }
      this.#sections.push(sections);
      for (let m = 0; m < 3; m++)
        await campus.makeEvent(id, { title: `Session ${n}${m}` }, 3 + 2 * m + n / 24);
      // Two courses have events for the same reservation.
      const edit = `<p><a href="https://cloud.timeedit.net/nb/web/x/ri.html?h=t&amp;id=7${this.#courses[0]}${n % 2}">Edit on TimeEdit</a></p>`;
      await campus.makeEvent(id, { title: `Seminar ${n}`, description: edit }, 6);
      await campus.makeEvent(id, { title: `Workshop ${n}`, child_event_data: this.#times(n, 2) }, 3);
    }
    for (const n of [0, 1, 2])
      await this.do({
        do: 'publish',
        who: 0,
        course: n,
        some: [0, 1, 3, 4],
        owner: HOSTS.farid,
        visible: true,
        co: false,
      });
  }

  async end(): Promise<void> {
    for (const one of this.#off) await campus.handle(`zoom/users/${one}`, 'PATCH', { status: 'active' });
    for (const { id } of await campus.ours()) await campus.zoom(`/meetings/${id}`, 'DELETE');
  }

  async do(one: Step): Promise<void> {
    this.#done.push(JSON.stringify(one));
    await campus.handle('zoom/host-days', 'DELETE');
    await server.server.services.db.db.delete(zoomHostDays);
    if (one.do === 'host-off' || one.do === 'host-on') {
      const status = one.do === 'host-off' ? 'inactive' : 'active';
      if (status === 'inactive') this.#off.add(one.owner);
      else this.#off.delete(one.owner);
      await campus.handle(`zoom/users/${one.owner}`, 'PATCH', { status });
      return;
    }
    const id = this.#courses[one.course] ?? 0;
    const events = await this.#events(id);
    if (events.length === 0) return;
    const pick = (index: number) => events[index % events.length] as Given;
    const event = 'at' in one ? pick(one.at) : pick(0);
    const number = numberIn(event.description) || numberIn(event.location_address);
    const to = 'to' in one ? (this.#courses[one.to] ?? 0) : 0;
    switch (one.do) {
      case 'publish': {
        const ids = [...new Set(one.some.map((index) => pick(index).id))];
        const co_hosts = one.co ? [HOSTS.alma] : [];
        const input = publishing({
          course: id,
          events: ids,
          owner: one.owner,
          visible: one.visible,
          co_hosts,
        });
        return this.#change(
          one.who,
          one.owner === HOSTS.standard ? ({ ...input, visible: false } as ZoomChange) : input,
        );
      }
      case 'merge': {
        const rows = await tableOf(this.#person(0), id);
        const mains = rows.filter(
          ({ zoom_parent_id, parent_event_id, zoom_owner }) =>
            !zoom_parent_id && !parent_event_id && zoom_owner,
        );
        const main = mains[one.at % mains.length]?.id ?? event.id;
        const ids = new Set(one.some.map((index) => pick(index).id));
        ids.delete(main);
        if (ids.size === 0) return;
        return this.#change(one.who, { change: 'merge', course: id, parent: main, events: [...ids] });
      }
      case 'unmerge': {
        const rows = await tableOf(this.#person(0), id);
        const merged = rows.filter(({ zoom_parent_id: parent }) => parent !== null);
        const child = merged[one.at % merged.length]?.id ?? event.id;
        return this.#change(one.who, { change: 'unmerge', course: id, event: child });
      }
      case 'run':
        return this.#run(one.who, id);
      case 'move':
        if (event.hidden) return;
        return this.#edit(event.id, { context_code: `course_${to}` });
      case 'copy': {
        const { title, description, location_address, start_at, end_at, hidden } = event;
        if (hidden || start_at === null) return;
        await campus.makeEvent(to, {
          title: `${title} again`,
          description,
          location_address,
          start_at,
          end_at,
        });
        return;
      }
      case 'paste': {
        const others = await this.#events(this.#courses[one.from] ?? 0);
        const other = others[one.other % Math.max(1, others.length)];
        if (!other) return;
        const { description, location_address } = other;
        return this.#edit(event.id, { description, location_address });
      }
      case 'synchronise': {
        const reserved = events.find(({ description }) => description?.includes('timeedit'));
        if (!reserved) return;
        const { title, start_at, end_at } = reserved;
        const edit = /<p><a href="https:\/\/cloud[^]*?<\/p>/.exec(reserved.description ?? '')?.[0] ?? null;
        await campus.api(`calendar_events/${reserved.id}`, { method: 'DELETE' });
        await campus.makeEvent(id, { title, description: edit, start_at, end_at });
        return;
      }
      case 'strip':
        return this.#edit(event.id, { description: '<p>x</p>', location_address: '' });
      case 'passcode':
        await campus.zoom(`/meetings/${number}`, 'PATCH', { password: randomUUID().slice(0, 8) });
        return;
      case 'delete-meeting':
        await campus.zoom(`/meetings/${number}`, 'DELETE');
        return;
      case 'rename':
        return this.#edit(event.id, { title: `${event.title}!` });
      case 'time': {
        if (event.hidden) return;
        const times = {
          later: { start_at: hours(50 + one.at), end_at: hours(51 + one.at) },
          past: { start_at: hours(-50), end_at: hours(-49) },
          none: { start_at: null, end_at: null },
          day: { all_day: true },
        };
        return this.#edit(event.id, times[one.when]);
      }
      case 'sections':
        if (one.count > 0)
          return this.#edit(event.id, { child_event_data: this.#times(one.course, one.count) });
        if (!event.hidden) return;
        return this.#edit(event.id, { remove_child_events: true });
      case 'cross-list': {
        const section = this.#sections[one.course]?.[one.at % 3] ?? 0;
        const undo = to === id;
        await campus.api(`sections/${section}/crosslist${undo ? '' : `/${to}`}`, {
          method: undo ? 'DELETE' : 'POST',
        });
        return;
      }
      case 'delete-event':
        if (events.length > 3) await campus.api(`calendar_events/${event.id}`, { method: 'DELETE' });
    }
  }

  /**
   * Checks that, once each course has had its run, every link that students see leads to a meeting that can
   * be held, and further runs change nothing.
   */
  async check(): Promise<void> {
    for (const id of this.#courses) await this.#told(id);
    for (let round = 0; round < 2; round++) for (const id of this.#courses) await this.#run(0, id);
    for (const id of this.#courses) {
      await this.#told(id);
      for (const { id: event, text } of (await snapshotOf(campus, id)).events) {
        const number = numberIn(link.exec(text)?.[0] ?? null);
        if (number === 0) continue;
        const meeting = await meetingOf(campus, number);
        expect(meeting?.id, this.#about(`event ${event} leads to a meeting`)).toBe(number);
        expect(
          this.#off.has(meeting?.host_email ?? ''),
          this.#about(`event ${event} has an active host`),
        ).toBe(false);
      }
    }
    await campus.writes();
    for (const id of this.#courses) await runOf(server, this.#person(0), id);
    expect(await campus.writes(), this.#about('runs that are repeated change nothing')).toEqual([]);
  }

  /** Checks that the table says for each event whether students see a link. */
  async #told(id: number): Promise<void> {
    for (const row of await tableOf(this.#person(0), id)) {
      const event = await campus.event(row.id);
      const isSeen = link.test(`${event.description} ${event.location_address}`);
      const { zoom_visibility: visible, zoom_texts: differs } = row;
      const isNotified = differs === 'a-link' || (visible === 1 && differs !== 'no-link');
      expect(isNotified, this.#about(`${row.title} (${row.id}): ${visible}, ${differs}`)).toBe(isSeen);
    }
  }

  #person(index: number): Browser {
    const found = people[index];
    if (!found) throw new Error('no such person');
    return found;
  }

  #times(course: number, count: number) {
    return (this.#sections[course] ?? []).slice(0, count).map((section, index) => ({
      context_code: `course_section_${section}`,
      start_at: hours(60 + 4 * index),
      end_at: hours(61 + 4 * index),
    }));
  }

  async #events(id: number): Promise<Given[]> {
    const own = [...server.sandbox.world.calendarEvents.values()].filter(
      ({ context_code, workflow_state }) => context_code === `course_${id}` && workflow_state !== 'deleted',
    );
    return Promise.all(own.map(async (one) => (await campus.event(one.id)) as Given));
  }

  async #edit(id: number, fields: Record<string, unknown>): Promise<void> {
    await campus.changeEvent(id, fields).catch(() => {});
  }

  async #snapshot(): Promise<Snapshot> {
    const all: Snapshot[] = [];
    for (const id of this.#courses) all.push(await snapshotOf(campus, id));
    return { events: all.flatMap(({ events }) => events), meetings: all[0]?.meetings ?? new Map() };
  }

  #about(what: string, ...more: unknown[]): string {
    return [what, `courses ${this.#courses}`, ...more.map((one) => JSON.stringify(one)), ...this.#done].join(
      '\n',
    );
  }

  async #change(index: number, input: ZoomChange): Promise<void> {
    const person = this.#person(index);
    const response = await person.post(ENDPOINTS.zoomPreview, input);
    if (response.status !== 200) {
      expect((await startChange(person, input)).status, this.#about('it is refused', input)).not.toBe(200);
      return;
    }
    const said = zoomPreview.parse((await response.json()).data);
    const before = await this.#snapshot();
    const done = await change(person, input);
    const after = await this.#snapshot();
    const found = differenceOf(before, after);
    const about = this.#about('the change', input, said, done.result, done.note, found);
    expectAsPreviewed(said, done, { found, before, about });
  }

  async #run(index: number, id: number): Promise<void> {
    const person = this.#person(index);
    const said = await reviewOf(person, id);
    const before = await this.#snapshot();
    const { items } = await runOf(server, person, id);
    const after = await this.#snapshot();
    const found = differenceOf(before, after);
    const lines = items.map(({ label, message }) => [label, message]);
    const about = this.#about(`the run of ${id}`, said, lines, found);
    expectAsReviewed(said, items, { found, before, about });
  }
}

test('OP-60 OP-71 OP-102 OP-103 in several courses, what happens is what was announced, and every link leads to a meeting', {
  timeout: 120_000 + SEQUENCES * 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25, size: 'max' }), async (steps) => {
      const play = new Play();
      try {
        await play.begin();
        for (const one of steps) await play.do(one);
        await play.check();
      } finally {
        await play.end();
      }
    }),
    { numRuns: SEQUENCES, seed: SEED, endOnFailure: true },
  );
});
