/**
 * Random sequences of actions on a course's events by administrators, teachers and Zoom's own pages. After a
 * run, every link that students see leads to a meeting that can be held, and people's latest decisions apply
 * (ZR-01, OP-71, OP-103, OP-104).
 */
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobs, zoomHostDays } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  endOf,
  HOSTS,
  itemsOf,
  type LmsEvent,
  numberIn,
  publishing,
  runOf,
  startChange,
  tableOf,
  until,
  ZoomCampus,
} from './campus.ts';
import { ACCESS } from './run-support.ts';

/** Number of sequences: a few in the suite, many in `npm run test:all`. */
const SEQUENCES = Number(process.env['ZOOM_SEQUENCES'] ?? 5);
const SEED = Number(process.env['ZOOM_SEED'] ?? 7);
const OWNERS = [HOSTS.alma, HOSTS.bruno, HOSTS.hugo, HOSTS.farid];

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
beforeAll(async () => {
  server = await startTestServer({ access: ACCESS });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());

const at = fc.nat({ max: 11 });
const owner = fc.constantFrom(...OWNERS);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('publish' as const), at, owner, visible: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('merge' as const), at, other: at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unmerge' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), at, owner, visible: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete-event' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete-meeting' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('edit-away' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('host-off' as const), owner }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('host-on' as const), owner }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('over' as const), at }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('copy' as const), at, away: fc.boolean(), later: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('run' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A person's request. */
interface Decision {
  event: number;
  job: string;
  owner: string;
  visible: boolean;
}

/** Two courses: the one being changed, and the one into which events are copied. */
class Play {
  readonly #course = campus.quietCourse().id;
  readonly #away = campus.quietCourse().id;
  readonly #off = new Set<string>();
  readonly #waiting: string[] = [];
  /** Events in order of request; null for merged or unmerged events, whose later requests are not tracked. */
  readonly #decisions: (Decision | { event: number; job: null })[] = [];

  async begin(): Promise<void> {
    for (let n = 0; n < 4; n++)
      await campus.makeEvent(this.#course, { title: `Session ${n + 1}` }, 3 + 8 * n);
  }

  async end(): Promise<void> {
    for (const who of this.#off) await campus.handle(`zoom/users/${who}`, 'PATCH', { status: 'active' });
  }

  async do(one: Step): Promise<void> {
    const event = 'at' in one ? await this.#pick(one.at) : null;
    if ('at' in one && event === null) return;
    const id = event?.id ?? 0;
    switch (one.do) {
      case 'publish':
        return this.#decide(id, one, await this.#start({ ...one, id }));
      case 'wait': {
        const day = new Date().toISOString().slice(0, 10);
        const full = { host: one.owner, day, used: 100 };
        await server.server.services.db.db.insert(zoomHostDays).values(full).onConflictDoNothing();
        const job = await this.#start({ ...one, id });
        if (job === null) return this.#newDay();
        const now = await until(alma, job, ({ state }) => state === 'waiting').catch(() => null);
        if (now) this.#waiting.push(job);
        this.#decide(id, one, job);
        return this.#newDay();
      }
      case 'merge': {
        const other = await this.#pick(one.other);
        const child = other?.id ?? 0;
        const input: ZoomChange = { change: 'merge', course: this.#course, parent: id, events: [child] };
        return this.#regroup(id, child, await startChange(alma, input));
      }
      case 'unmerge':
        return this.#regroup(
          id,
          id,
          await startChange(alma, { change: 'unmerge', course: this.#course, event: id }),
        );
      case 'release':
        return this.release();
      case 'delete-event':
        await campus.api(`calendar_events/${id}`, { method: 'DELETE' });
        return;
      case 'delete-meeting':
        await campus.zoom(`/meetings/${numberIn(event?.description ?? null) || 100_000_000}`, 'DELETE');
        return;
      case 'edit-away':
        return campus.changeEvent(id, { description: '<p>Only this.</p>' });
      case 'over': {
        const start = Date.now() - 4 * 86_400_000;
        const iso = (ms: number) => new Date(ms).toISOString();
        return campus.changeEvent(id, { start_at: iso(start), end_at: iso(start + 3_600_000) });
      }
      case 'host-off':
      case 'host-on': {
        const status = one.do === 'host-off' ? 'inactive' : 'active';
        if (status === 'inactive') this.#off.add(one.owner);
        else this.#off.delete(one.owner);
        await campus.handle(`zoom/users/${one.owner}`, 'PATCH', { status });
        return;
      }
      case 'copy': {
        const { title, description, location_address, start_at, end_at } = event as LmsEvent;
        const late = (iso: string) => new Date(Date.parse(iso) + (one.later ? 86_400_000 : 0)).toISOString();
        const times = { start_at: late(start_at), end_at: late(end_at) };
        const copied = { title: `Copy of ${title}`, description, location_address, ...times };
        await campus.makeEvent(one.away ? this.#away : this.#course, copied);
        return;
      }
      case 'run':
        await runOf(server, alma, this.#course);
    }
  }

  /** Moves to the next day, when waiting work continues. */
  async release(): Promise<void> {
    await this.#newDay();
    const { db } = server.server.services.db;
    for (const id of this.#waiting.splice(0)) {
      await db.update(jobs).set({ waitUntil: sql`now()` }).where(eq(jobs.id, id));
      await endOf(alma, id);
    }
  }

  async check(): Promise<void> {
    for (const course of [this.#course, this.#away]) await this.#told(course);
    for (const course of [this.#course, this.#away]) {
      await this.#newDay();
      const { job } = await runOf(server, alma, course);
      await this.#links(course, job.outcome === 'done');
      await campus.writes();
      await runOf(server, alma, course);
      expect(await campus.writes(), 'a second run changes nothing').toEqual([]);
    }
    await this.#newest();
  }

  /** Checks that the table says for each event whether students see a link, whoever changed the event. */
  async #told(course: number): Promise<void> {
    for (const { id, title, zoom_visibility: visible, zoom_texts: differs } of await tableOf(alma, course)) {
      const event = await campus.event(id);
      const isSeen = /\/j\/\d/.test(`${event.description} ${event.location_address}`);
      const isNotified = differs === 'a-link' || (visible === 1 && differs !== 'no-link');
      expect(isNotified, `${title} (${id}): ${visible}, ${differs}`).toBe(isSeen);
    }
  }

  /**
   * Checks that every link students see leads to a meeting that can be held, and after a successful run that
   * its time is the event's.
   */
  async #links(course: number, isWell: boolean): Promise<void> {
    const rows = await tableOf(alma, course);
    for (const row of rows) {
      const event = await campus.event(row.id);
      const number = numberIn(event.description) || numberIn(event.location_address);
      const about = `${row.title} (${row.id})`;
      if (isWell && row.zoom_visibility === 1 && Date.parse(event.end_at) > Date.now())
        expect(number, `${about} is published`).toBeGreaterThan(0);
      if (row.zoom_visibility === 0) expect(number, `${about} is hidden`).toBe(0);
      if (number === 0) continue;
      const meeting = await campus.meeting(number);
      expect(meeting?.id, `${about} has a meeting`).toBe(number);
      expect(this.#off.has(meeting?.host_email ?? ''), `${about} has an active host`).toBe(false);
      const main = row.zoom_parent_id ?? row.id;
      const group = rows.filter(({ id, zoom_parent_id }) => id === main || zoom_parent_id === main);
      const ahead = group.filter(({ end_at }) => Date.parse(end_at ?? '') > Date.now());
      const starts = group.map(({ start_at }) => Date.parse(start_at ?? ''));
      if (isWell && ahead.length > 0)
        expect(starts, `${about} has its time`).toContain(Date.parse(meeting?.start_time ?? ''));
    }
  }

  /** Checks that students see the latest request that was not rejected. */
  async #newest(): Promise<void> {
    const newest = new Map<number, Decision | null>();
    for (const one of this.#decisions) {
      if (one.job === null) newest.set(one.event, null);
      else {
        const [item] = await itemsOf(alma, one.job);
        if (item?.state === 'done' && !item.message?.startsWith('Not changed')) newest.set(one.event, one);
      }
    }
    for (const row of await tableOf(alma, this.#course)) {
      const decision = newest.get(row.id);
      if (!decision || row.zoom_parent_id !== null) continue;
      expect(row.zoom_visibility, `${row.title} (${row.id})`).toBe(decision.visible ? 1 : 0);
      if (row.zoom_link !== null) expect(row.zoom_owner, `${row.title} (${row.id})`).toBe(decision.owner);
      if (!decision.visible) expect(blocksIn(await campus.event(row.id))).toEqual([]);
    }
  }

  async #pick(index: number): Promise<LmsEvent | null> {
    const rows = await tableOf(alma, this.#course);
    const row = rows[index % Math.max(1, rows.length)];
    return row ? campus.event(row.id) : null;
  }

  /** Starts publishing, and waits for it to end unless the job itself waits. */
  async #start({
    do: what,
    id,
    owner: host,
    visible,
  }: {
    do: string;
    id: number;
    owner: string;
    visible: boolean;
  }) {
    const response = await startChange(
      alma,
      publishing({ course: this.#course, events: [id], owner: host, visible }),
    );
    if (response.status !== 200) return null;
    const { data } = (await response.json()) as { data: { id: string } };
    if (what === 'publish') await endOf(alma, data.id);
    return data.id;
  }

  #decide(
    event: number,
    { owner: host, visible }: { owner: string; visible: boolean },
    job: string | null,
  ): void {
    if (job !== null) this.#decisions.push({ event, job, owner: host, visible });
  }

  async #regroup(main: number, event: number, response: Response): Promise<void> {
    if (response.status !== 200) return;
    const { data } = (await response.json()) as { data: { id: string } };
    await endOf(alma, data.id);
    for (const one of [main, event]) this.#decisions.push({ event: one, job: null });
  }

  async #newDay(): Promise<void> {
    await campus.handle('zoom/host-days', 'DELETE');
    await server.server.services.db.db.delete(zoomHostDays);
  }
}

test('ZR-01 OP-71 OP-103 OP-104 after a run, every link leads to a meeting, and the latest decision applies', {
  timeout: 60_000 + SEQUENCES * 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
      const play = new Play();
      try {
        await play.begin();
        for (const one of steps) await play.do(one);
        await play.release();
        await play.check();
      } finally {
        await play.end();
      }
    }),
    { numRuns: SEQUENCES, seed: SEED, endOnFailure: true },
  );
});
