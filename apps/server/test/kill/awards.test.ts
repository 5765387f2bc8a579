/** An award refresh survives killed servers without a second export (OP-90). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ended, REFRESH, stats } from '../awards/support.ts';
import { type Deployment, openDeployment, SERVERS } from './deployment.ts';

const HOUR = 3_600_000;

describe.each(SERVERS)('with %i servers on one database', (servers) => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await openDeployment(servers);
  });
  afterAll(() => deployment?.close());

  const handle = (path: string, method: string, body?: object) =>
    fetch(`${deployment.sandbox.url}/sandbox/${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
  const exportsBegun = async () =>
    ((await (await handle('qualtrics', 'GET')).json()) as { exports: unknown[] }).exports.length;
  const stage = async () => (await stats(deployment.alma)).refresh?.stage ?? null;

  test('OP-42 a refresh killed while it waits for the export, or downloads its file, continues automatically', async () => {
    await handle('qualtrics', 'PUT', { exportMs: 2_500 });
    await deployment.alma.post(REFRESH, {});
    await expect.poll(stage, { interval: 20 }).toBe('Waiting for the export from Qualtrics');
    await handle('faults', 'POST', {
      system: 'qualtrics',
      match: '*/file',
      kind: 'latency',
      ms: HOUR,
      count: 1,
    });
    await deployment.restart();
    await expect.poll(stage, { interval: 20 }).toBe('Counting the responses');
    await deployment.restart(() => handle('faults?system=qualtrics', 'DELETE'));
    await ended(deployment.alma);
    expect(await stats(deployment.alma)).toMatchObject({
      responsecount: 386,
      total: 422,
      failed: null,
      up_to_date: true,
    });
    expect(await exportsBegun()).toBe(1);
    const jobs = (await (await deployment.alma.fetch(`${ENDPOINTS.jobs}?kind=award-refresh`)).json()) as {
      data: unknown[];
    };
    expect(jobs.data).toHaveLength(1);
  });
});
