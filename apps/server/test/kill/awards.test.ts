/** A refresh of the award survives servers that are killed in the middle of it, without a second export (OP-90). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ended, REFRESH, stats } from '../awards/support.ts';
import { type House, openHouse, SERVERS } from './house.ts';

const HOUR = 3_600_000;

describe.each(SERVERS)('with %i servers on one database', (servers) => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse(servers);
  });
  afterAll(() => house?.close());

  const handle = (path: string, method: string, body?: object) =>
    fetch(`${house.sandbox.url}/sandbox/${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
  const exportsBegun = async () =>
    ((await (await handle('qualtrics', 'GET')).json()) as { exports: unknown[] }).exports.length;
  const stage = async () => (await stats(house.alma)).refresh?.stage ?? null;

  test('OP-42 killed while the export is waited for, and while its file comes in', async () => {
    await handle('qualtrics', 'PUT', { exportMs: 2_500 });
    await house.alma.post(REFRESH, {});
    await expect.poll(stage, { timeout: 30_000, interval: 20 }).toBe('Waiting for the export of Qualtrics');
    await handle('faults', 'POST', {
      system: 'qualtrics',
      match: '*/file',
      kind: 'latency',
      ms: HOUR,
      count: 1,
    });
    await house.restart();
    await expect.poll(stage, { timeout: 60_000, interval: 20 }).toBe('Counting the responses');
    await house.restart(() => handle('faults?system=qualtrics', 'DELETE'));
    await ended(house.alma);
    expect(await stats(house.alma)).toMatchObject({
      responsecount: 386,
      total: 422,
      failed: null,
      up_to_date: true,
    });
    expect(await exportsBegun()).toBe(1);
    const jobs = (await (await house.alma.fetch(`${ENDPOINTS.jobs}?kind=award-refresh`)).json()) as {
      data: unknown[];
    };
    expect(jobs.data).toHaveLength(1);
  });
});
