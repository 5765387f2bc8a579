/**
 * The upgrade: this version starts on the data of an earlier release. People are still signed in, work continues, and reviews made
 * with that release can be opened, submitted and undone with this one.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../../scripts/free-port.mjs';
import { jobOf, submitted, undoOf, watch } from '../enrollments/campus.ts';
import { bundleServer, Process } from '../kill/process.ts';
import { Browser } from '../support/browser.ts';
import { qualtricsEnv } from '../support/qualtrics-env.ts';
import { zoomEnv } from '../support/zoom-env.ts';
import { blocksIn, endOf, ZoomCampus } from '../zoom/campus.ts';
import { KEPT_RELEASES, type KeptRelease, openKept } from './kept-release.ts';

/** The started program loads a database and changes it. */
const PATIENT = 600_000;

describe.each(KEPT_RELEASES)('OP-45 with the data of %s', (name) => {
  let kept: KeptRelease;
  let server: Process;
  let campus: ZoomCampus;
  let alma: Browser;
  let bruno: Browser;

  beforeAll(async () => {
    const [main, port] = await Promise.all([bundleServer(), freePort()]);
    const home = `http://localhost:${port}`;
    kept = await openKept(name, home);
    campus = new ZoomCampus(kept.sandbox);
    server = new Process(main, {
      ...kept.env,
      PORT: String(port),
      LMS_ADMIN_URL: home,
      LMS_URL: kept.sandbox.url.replace('127.0.0.1', 'localhost'),
      LMS_CLIENT_ID: '10',
      LMS_CLIENT_SECRET: 'sandbox-client-secret',
      LMS_SERVICE_TOKEN: 'sandbox-admin-token',
      ...zoomEnv(kept.sandbox.url),
      ...qualtricsEnv(kept.sandbox.url),
      LMS_ADMIN_ACCESS: 'config/access.json',
      SCHOOL_EMAIL_DOMAIN: 'northbridge.example',
      LMS_ADMIN_KEY: '00'.repeat(32),
      IMPORT_POLL_MS: '100',
      IMPORT_GRACE_MS: '2000',
    });
    await server.start();
    const known = (cookies: [string, string][]) => {
      const browser = new Browser(home);
      for (const [cookie, value] of cookies) browser.cookies.set(cookie, value);
      return browser;
    };
    alma = known(kept.made.cookies.alma);
    bruno = known(kept.made.cookies.bruno);
  }, PATIENT);
  afterAll(async () => {
    await server?.kill();
    await kept?.close();
  });

  const seats = async (course: number) => (await campus.enrolments(course, 3)).map(({ user_id }) => user_id);
  const sections = async (section: number) =>
    (await (await campus.api(`sections/${section}/enrollments?per_page=100`)).json()) as {
      user_id: number;
    }[];
  async function expectSeatedOnce({ course, people }: { course: number; people: readonly number[] }) {
    const inside = await seats(course);
    for (const person of people) expect(inside.filter((one) => one === person)).toHaveLength(1);
  }

  test('this version starts, and people are still signed in', async () => {
    const ready = await (await fetch(`${alma.home}${ENDPOINTS.ready}`)).json();
    expect(ready).toMatchObject({ status: 'ready', problems: [] });
    for (const browser of [alma, bruno]) expect((await browser.fetch(ENDPOINTS.jobs)).status).toBe(200);
  });

  test('IMP-01 a waiting import continues, and is done once', { timeout: PATIENT }, async () => {
    const { waiting } = kept.made;
    expect(await watch(alma, waiting.import)).toMatchObject({
      workflow_state: 'imported',
    });
    expect(await campus.importsNamed(waiting.import)).toHaveLength(1);
    await expectSeatedOnce(waiting);
  });

  test('CE-09 SE-01 SIS-09 reviews can be opened and submitted', { timeout: PATIENT }, async () => {
    const { openPlan, openSectionPlan, openGroupPlan, openFile } = kept.made;
    for (const [path, { plan }] of [
      [ENDPOINTS.plan, openPlan],
      [ENDPOINTS.sectionPlan, openSectionPlan],
      [ENDPOINTS.groupPlan, openGroupPlan],
    ] as const) {
      const opened = await alma.fetch(path.replace(':plan', plan));
      expect([path, opened.status]).toEqual([path, 200]);
      const { id } = await submitted(alma, { plan });
      expect(await watch(alma, id)).toMatchObject({ verdict: 'done' });
    }
    await expectSeatedOnce(openPlan);
    const inSection = (await sections(openSectionPlan.section)).map(({ user_id }) => user_id);
    expect(inSection).toEqual(expect.arrayContaining(openSectionPlan.people));
    const groups = (await (await campus.api(`group_categories/${openGroupPlan.category}/groups`)).json()) as {
      name: string;
    }[];
    expect(groups.map((one) => one.name).sort()).toEqual([...openGroupPlan.groups].sort());
    const file = await submitted(alma, { file: openFile.file });
    expect(await watch(alma, file.id)).toMatchObject({ verdict: 'done' });
    await expectSeatedOnce(openFile);
  });

  test('imports of that release can be undone', { timeout: PATIENT }, async () => {
    const { added, removed } = kept.made;
    for (const [browser, one] of [
      [alma, added],
      [bruno, removed],
    ] as const) {
      const undo = await undoOf(browser, { id: one.import });
      const { id } = await submitted(browser, { plan: undo.id });
      expect(await watch(browser, id)).toMatchObject({ verdict: 'done' });
    }
    const left = await seats(added.course);
    expect(added.people.filter((person) => left.includes(person))).toEqual([]);
    await expectSeatedOnce(removed);
  });

  test('OP-104 existing meetings are recognised, so a run creates none', { timeout: PATIENT }, async () => {
    const { course, events, meetings } = kept.made.zoom;
    const started = await alma.post(ENDPOINTS.zoomRun, { courseId: course, daysCount: 30 });
    const { data } = (await started.json()) as { data: { id: string } };
    expect(await endOf(alma, data.id)).toMatchObject({ outcome: 'done' });
    const inOrder = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);
    expect(inOrder((await campus.ours()).map(({ id }) => id))).toEqual(inOrder(meetings));
    for (const event of events) expect(blocksIn(await campus.event(event))).toHaveLength(1);
  });

  test('files, images and drafts are still there', async () => {
    const { export: job, image, draft } = kept.made;
    const [file] = (await jobOf(alma, job)).files;
    const path = ENDPOINTS.jobFile.replace(':job', job).replace(':file', file?.id ?? '');
    expect((await alma.fetch(path)).status).toBe(200);
    expect((await fetch(`${alma.home}${new URL(image).pathname}`)).status).toBe(200);
    expect((await alma.fetch(ENDPOINTS.sisDraft.replace(':draft', draft))).status).toBe(200);
  });
});
