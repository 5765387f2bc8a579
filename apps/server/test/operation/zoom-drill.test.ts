/**
 * The drill with meetings: meetings created in Zoom after the backup are found after the restore, by a run as
 * well as by the same change, and are not created again. What students see stays the same.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../kill/deployment.ts';
import { makePlace, Process } from '../kill/process.ts';
import { blocksIn, change, endOf, HOSTS, numberIn, publishing, ZoomCampus } from '../zoom/campus.ts';
import { lmsAdmin } from './command.ts';

/** Several programs are started in turn, and each loads a database. */
const PATIENT = { timeout: 400_000 };

let deployment: Deployment;
let campus: ZoomCampus;
let place: Awaited<ReturnType<typeof makePlace>>;
let folder: string;
let restored: Process;

beforeAll(async () => {
  [deployment, place, folder] = await Promise.all([
    openDeployment(),
    makePlace({ made: false }),
    mkdtemp(join(tmpdir(), 'lms-admin-backup-')),
  ]);
  campus = new ZoomCampus(deployment.sandbox);
});
afterAll(async () => {
  await restored?.kill();
  await deployment?.close();
  await place?.remove();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const at = (hours: number) => new Date(Math.ceil(Date.now() / 3_600_000 + hours) * 3_600_000).toISOString();
const eventIn = async (course: number, title: string, hours: number) =>
  (await campus.makeEvent(course, { title, start_at: at(hours), end_at: at(hours + 1) })).id;

async function run(course: number) {
  const response = await deployment.alma.post(ENDPOINTS.zoomRun, {
    courseId: course,
    daysCount: 30,
    key: randomUUID(),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  return endOf(deployment.alma, data.id);
}
const shownIn = async (events: readonly number[]) =>
  Promise.all(
    events.map(async (id) => {
      const event = await campus.event(id);
      return [blocksIn(event).length, numberIn(event.description)];
    }),
  );
/** Lists LMS Admin's meetings in Zoom. */
const ours = async () => (await campus.ours()).map(({ id }) => id).sort((a, b) => a - b);

test(
  'OP-104 meetings from the hour after the backup are found, and none is created again',
  PATIENT,
  async () => {
    const { alma } = deployment;
    const known = campus.quietCourse().id;
    const later = campus.quietCourse().id;
    const before = await eventIn(known, 'Published before', 30);
    const handed = await eventIn(known, 'Another host after the backup', 32);
    await change(alma, publishing({ course: known, events: [before, handed], owner: HOSTS.hugo }));
    const file = join(folder, 'backup.zip');
    expect((await lmsAdmin(deployment.env, 'backup', file)).code).toBe(0);

    // The hour after the backup: one event is published, one gets its meeting by a run and stays hidden, and
    // one is given to another host.
    const published = await eventIn(later, 'Published after', 40);
    await change(alma, publishing({ course: later, events: [published], owner: HOSTS.bruno }));
    const hidden = await eventIn(later, 'Made by a run', 44);
    expect((await run(later)).outcome).toBe('done');
    await change(alma, publishing({ course: known, events: [handed], owner: HOSTS.farid }));
    const all = [before, handed, published, hidden];
    const [meetings, links] = [await ours(), await shownIn(all)];
    expect(links.map(([blocks]) => blocks)).toEqual([1, 1, 1, 0]);
    await deployment.servers[0]?.kill();

    const env = { ...deployment.env, ...place.env };
    expect((await lmsAdmin(env, 'restore', file, '--go-on')).code).toBe(0);
    restored = new Process(deployment.main, { ...env, PORT: String(deployment.port) });
    await restored.start();
    for (const course of [known, later]) expect((await run(course)).outcome).toBe('done');
    expect([await ours(), await shownIn(all)]).toEqual([meetings, links]);
    // The same change, requested again, also finds the meeting.
    await change(alma, publishing({ course: later, events: [published, hidden], owner: HOSTS.bruno }));
    expect(await shownIn([published])).toEqual([links[2]]);
    expect(await ours()).toHaveLength(meetings.length);
    for (const course of [known, later]) expect((await run(course)).outcome).toBe('done');
    expect(await ours()).toHaveLength(meetings.length);
  },
);
