/**
 * Refreshes over HTTP: figures that match a manual count, one refresh at a time, at most one an hour, and
 * failures.
 */
import { refreshAnswer } from '@lms-admin/contract/awards';
import { ENDPOINTS, OWN_REQUEST } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { awardSurveys } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { hold } from '../support/held.ts';
import {
  answered,
  ended,
  lines,
  OPENING,
  practiceList,
  REFRESH,
  refreshed,
  replace,
  report,
  stats,
} from './support.ts';

let ts: TestServer;
let alma: Browser;
let bruno: Browser;
const HOUR = 3_600_000;

beforeAll(async () => {
  ts = await startTestServer();
  alma = await ts.signIn(PEOPLE.all);
  bruno = await ts.signIn(PEOPLE.custom);
  await alma.post(ENDPOINTS.awardOpening, { opening_date: OPENING });
  Object.assign(ts.server.services.access.find(PEOPLE.custom) ?? {}, { best_teaching_reports: true });
});
afterAll(() => ts?.close());
beforeEach(async () => {
  await fetch(`${ts.sandbox.url}/sandbox/faults?system=qualtrics`, { method: 'DELETE' });
  await set({ exportMs: 200, limits: false });
});

const set = (settings: object) => ts.handle('qualtrics', { method: 'PUT', body: settings });
const fault = (one: object) => ts.handle('faults', { body: { system: 'qualtrics', ...one } });
/** Counts the exports that have been started. */
const exportsBegun = async () => ((await ts.handle('qualtrics')) as { exports: unknown[] }).exports.length;
/** Makes it look as if the survey was last read this long ago. */
const aged = (ms: number) =>
  ts.server.services.db.db.update(awardSurveys).set({ readAt: new Date(Date.now() - ms) });
const press = async (browser: Browser) =>
  refreshAnswer.parse((await answered(browser.post(REFRESH, {}))).data);

describe('figures', () => {
  test('BTA-13 BTA-14 BTA-48 OP-105 match the manual count, with skipped responses and reasons', async () => {
    expect((await replace(alma, await practiceList(ts.sandbox))).error).toBeNull();
    expect(await stats(alma)).toMatchObject({
      responsecount: 0,
      createdAt: null,
      up_to_date: false,
      failed: null,
    });
    const now = await refreshed(alma);
    expect(now).toMatchObject({
      responsecount: 383,
      total: 422,
      anonymous: 3,
      up_to_date: true,
      counted_from: OPENING,
      failed: null,
      left_out: {
        preview: 8,
        test: 6,
        spam: 2,
        status: 0,
        unreadable: 0,
        unfinished: 15,
        early: 3,
        replaced: 5,
      },
    });
    const core = (campus: string) => report(alma, ENDPOINTS.awardCore.replace(':id', campus));
    const elective = (campus: string) => report(alma, ENDPOINTS.awardElective.replace(':id', campus));
    expect(lines(await core('ABD'))).toEqual(
      expect.arrayContaining(['34 Fixed Income – François Nakamura (ABD)', '14 Valuation – Emma Ito (ABD)']),
    );
    expect(lines(await core('SGP'))[0]).toBe('26 Private Equity – Layla Brown (SGP)');
    expect(lines(await elective('FBL'))[0]).toBe('25 Customer Insight – François Nakamura (FBL)');
    const sum = (all: string[]) => all.reduce((total, line) => total + Number.parseInt(line, 10), 0);
    const cores = (await Promise.all(['ABD', 'SGP', 'FBL'].map(core))).flatMap(lines);
    expect([cores.length, sum(cores)]).toEqual([31, 370]);
    const both = lines(await elective('FBLSG'));
    const electives = [...new Set([...both, ...lines(await elective('ABD'))])];
    expect([electives.length, sum(electives)]).toEqual([33, 372]);
    const misspelt = (await core('A')).unmatched;
    expect(misspelt.map(({ professor, votes, reason }) => ({ professor, votes, reason }))).toEqual(
      expect.arrayContaining([{ professor: 'François Nakamur', votes: 1, reason: 'not-in-list' }]),
    );
    for (const { nearest } of misspelt) expect(nearest[0]?.professor).toBe('François Nakamura');
    expect((await elective('ABD')).unmatched.map(({ professor }) => professor)).toEqual(['Paulo Weber']);
  });

  test('OP-105 contain no data about voters', async () => {
    const [row] = await ts.server.services.db.db.select().from(awardSurveys);
    const kept = JSON.stringify(row);
    expect(kept).toContain('Nakamura');
    expect(kept).not.toMatch(/@|R_\w{15}|P\d{7}/);
  });
});

describe('one at a time, once an hour', () => {
  test('BTA-16 OP-90 within the hour a refresh is not needed, and the answer says so', async () => {
    const before = await exportsBegun();
    expect(await press(alma)).toMatchObject({
      status: 'up-to-date',
      job: null,
      message: 'Data up to date, Please refresh after an hour',
    });
    await aged(HOUR - 60_000);
    expect((await stats(alma)).up_to_date).toBe(true);
    await aged(HOUR + 60_000);
    expect((await stats(alma)).up_to_date).toBe(false);
    expect(await exportsBegun()).toBe(before);
  });

  test('BTA-17 OP-90 any number of requests start a single refresh, which everyone sees', async () => {
    await aged(2 * HOUR);
    await set({ exportMs: 1_500 });
    const before = await exportsBegun();
    const pressed = await Promise.all([alma, bruno, alma, bruno, alma, bruno, alma].map(press));
    expect(new Set(pressed.map(({ status }) => status))).toEqual(new Set(['running']));
    expect(new Set(pressed.map(({ job }) => job)).size).toBe(1);
    expect(new Set(pressed.map(({ own }) => own))).toEqual(new Set([true, false]));
    const seen = await Promise.all([stats(alma), stats(bruno)]);
    expect(seen.map(({ refresh }) => refresh?.job)).toEqual([pressed[0]?.job, pressed[0]?.job]);
    // The old figures stay until the new ones are ready.
    expect(seen[0].responsecount).toBe(383);
    await ended(alma);
    expect(await exportsBegun()).toBe(before + 1);
  });

  test('BTA-18 BTA-50 OP-61 a GET needs the header, and reports success once the figures are new', async () => {
    await aged(2 * HOUR);
    const bare = await answered(alma.fetch(REFRESH));
    expect([bare.status, bare.error?.message]).toEqual([
      403,
      'A refresh cannot be started by opening a link.',
    ]);
    const asked = await answered(alma.fetch(REFRESH, { headers: { [OWN_REQUEST.name]: OWN_REQUEST.value } }));
    expect(asked.data).toMatchObject({ status: 'success' });
    expect((await answered(alma.post(REFRESH.replace('SV_', 'SV_x'), {}))).status).toBe(404);
  });

  test('OP-88 OP-90 a new opening date makes the figures outdated immediately', async () => {
    await alma.post(ENDPOINTS.awardOpening, { opening_date: '2026-01-01' });
    expect((await stats(alma)).up_to_date).toBe(false);
    expect(await refreshed(alma)).toMatchObject({
      responsecount: 386,
      counted_from: '2026-01-01',
      left_out: { early: 0 },
    });
    await alma.post(ENDPOINTS.awardOpening, { opening_date: OPENING });
    expect((await refreshed(alma)).responsecount).toBe(383);
  });

  test('added and deleted responses affect the next figures', async () => {
    await aged(2 * HOUR);
    const made = (await ts.handle('qualtrics/surveys/SV_bta2026practice/responses', {
      body: {
        reference: 'P9999999',
        embedded: {
          coreChoiceCourseName: 'Valuation',
          coreChoiceProfessor: 'emma  ITO',
          coreChoiceCampus: 'ABD',
        },
      },
    })) as { responseId: string };
    expect((await refreshed(alma)).responsecount).toBe(384);
    const valuation = lines(await report(alma, ENDPOINTS.awardCore.replace(':id', 'ABD')));
    expect(valuation).toContain('15 Valuation – Emma Ito (ABD)');
    await ts.handle(`qualtrics/responses/${made.responseId}`, { method: 'DELETE' });
    await aged(2 * HOUR);
    expect((await refreshed(alma)).responsecount).toBe(383);
  });
});

describe('faults', () => {
  beforeEach(() => aged(2 * HOUR));

  const failed = async () => {
    const now = await refreshed(alma);
    return { count: now.responsecount, ...now.failed };
  };

  test('OP-90 a failed export is reported, the old figures stay, and the next request starts again', async () => {
    await fault({ kind: 'export-fail', count: 1 });
    expect(await failed()).toMatchObject({ count: 383, message: 'Qualtrics could not create the export.' });
    expect(await refreshed(alma)).toMatchObject({ responsecount: 383, failed: null });
  });

  test.each([
    ['the progress call fails', { kind: 'status', status: 503, match: '*export-responses/*', count: 4 }],
    ['the file is cut off in the middle', { kind: 'drop', match: '*/file', count: 2 }],
    ['the file download hangs', { kind: 'timeout', ms: 300, match: '*/file', count: 1 }],
  ])('after %s a refresh continues automatically, with one export', async (_, one) => {
    const before = await exportsBegun();
    await fault(one);
    expect(await refreshed(alma)).toMatchObject({ responsecount: 383, failed: null });
    expect(await exportsBegun()).toBe(before + 1);
  });

  test('a refresh that has to wait says why, and can be cancelled', async () => {
    // The fault applies to every request: near the end of a minute, the first wait would be too short for the
    // job to show it.
    await fault({ kind: 'throttle', match: '*export-responses' });
    const { job } = await press(alma);
    const stage = async () => (await stats(bruno)).refresh?.stage;
    await expect.poll(stage).toBe('Qualtrics is busy.');
    await alma.post(ENDPOINTS.jobCancel.replace(':job', job ?? ''), {});
    await ended(alma);
    await ts.handle('faults', { method: 'DELETE' });
    expect((await stats(alma)).failed).toBeNull();
  });

  test.each([
    ['a revoked token', { kind: 'revoke-token', count: 1 }, /does not accept LMS Admin’s token/],
    ['a missing permission', { kind: 'status', status: 403, match: '*export-responses' }, /does not allow/],
    ['a survey that was deleted', { kind: 'status', status: 404, match: '*/surveys/*' }, /has no survey SV_/],
    [
      'OP-90 a file that was deleted',
      { kind: 'status', status: 404, match: '*/file' },
      /no longer has the export/,
    ],
  ])('%s ends a refresh with an explanation', async (_, one, words) => {
    await fault(one);
    const now = await failed();
    expect(now.message).toMatch(words);
    expect(JSON.stringify(now)).not.toContain('sandbox-qualtrics');
    await ts.handle('reset', { method: 'POST', body: {} });
  });

  test('a refresh whose token is rejected halfway waits, says why, and keeps its export', async () => {
    const before = await exportsBegun();
    await fault({ kind: 'status', status: 401, match: '*export-responses/*', count: 3 });
    const { job } = await press(alma);
    const stage = async () => (await stats(bruno)).refresh?.stage;
    await expect
      .poll(stage)
      .toMatch(/does not accept LMS Admin’s token\. (?:Nothing was sent\. )?Ask IT Support/);
    await ended(alma);
    expect(job).not.toBeNull();
    expect(await stats(alma)).toMatchObject({ responsecount: 383, failed: null });
    expect(await exportsBegun()).toBe(before + 1);
  });

  test('BTA-14 OP-90 figures have the time at which their export was requested: a vote after it is not in them', async () => {
    const held = await hold(ts.sandbox, { system: 'qualtrics', match: '*/file' });
    await press(alma);
    await held.reached();
    const votedAt = Date.now();
    const { responseId } = (await ts.handle('qualtrics/surveys/SV_bta2026practice/responses', {
      body: { reference: 'P9999998', embedded: { coreChoiceCourseName: 'Valuation' } },
    })) as { responseId: string };
    await held.letGo();
    await ended(alma);
    const now = await stats(alma);
    expect(now).toMatchObject({ responsecount: 383, up_to_date: true });
    expect(Date.parse(now.createdAt ?? '')).toBeLessThanOrEqual(votedAt);
    await ts.handle(`qualtrics/responses/${responseId}`, { method: 'DELETE' });
  });

  test('OP-105 OP-90 arbitrary values in the fields of a vote do not stop the count', async () => {
    const [first] = await practiceList(ts.sandbox);
    const hostile = [
      '=HYPERLINK("http://x","y")',
      'x'.repeat(20_000),
      'a\u0000b',
      '\u202e"quoted",\r\n',
      '__proto__',
    ];
    for (const [at, text] of hostile.entries()) {
      const embedded = {
        coreChoiceCourseName: text,
        coreChoiceProfessor: text,
        coreChoiceCampus: first?.Campus,
        coreChoiceCourseId: '',
        electiveChoiceCourseName: text,
        electiveChoiceProfessor: text,
      };
      const body = { reference: `P-${at}`, recordedDate: '2026-09-10T10:00:00Z', embedded };
      await ts.handle('qualtrics/surveys/SV_bta2026practice/responses', { body });
    }
    await set({ lagMs: 0 });
    await aged(HOUR);
    const now = await refreshed(alma);
    expect(now).toMatchObject({ failed: null, total: 422 + hostile.length });
    const { unmatched } = await report(alma, ENDPOINTS.awardCore.replace(':id', first?.Campus ?? ''));
    expect(unmatched.length).toBeGreaterThanOrEqual(hostile.length);
    for (const { course, professor } of unmatched) expect(course.length + professor.length).toBeLessThan(700);
  });
});
