/** The comparison of a file across many courses completes automatically after a kill, with every row once. */

import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { job as jobSchema } from '@lms-admin/contract/jobs';
import { SIS_EFFECT, sisEffect } from '@lms-admin/contract/sis-effects';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { jobOf } from '../enrollments/campus.ts';
import { doing, effectRows, jobEnded, uploaded } from '../sis-files/support.ts';
import { type Deployment, openDeployment, pause, SERVERS } from './deployment.ts';

const ROWS = 1_200;

describe.each(SERVERS)('servers on one database: %i', (servers) => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await openDeployment(servers);
  });
  afterAll(() => deployment?.close());
  afterEach(() => deployment.campus.clearFaults());

  test('SIS-06: a comparison killed halfway is started again and becomes complete', async () => {
    const { alma, campus } = deployment;
    const courses = campus.courses(86).flatMap(({ sis_source_id: sis }) => sis ?? []);
    const rows = Array.from(
      { length: ROWS },
      (_, at) => `${courses[at % courses.length]},NOBODY-${at % 50},3,active`,
    );
    const { id: file } = await uploaded(alma, ['course_id,user_id,role_id,status', ...rows].join('\n'));
    await campus.fault({ match: '/api/v1/courses/*/enrollments', kind: 'latency', ms: 150 });
    const started = await alma.post(jobStartPath(SIS_EFFECT), { key: file, input: { file } });
    const { id } = jobSchema.parse((await started.json()).data);
    for (;;) {
      const now = await jobOf(alma, id);
      if (now.stage?.startsWith('Comparing')) break;
      if (now.ended_at) throw new Error('it was over before it was seen');
      await pause(2);
    }
    await deployment.restart();
    expect(await jobEnded(alma, id)).toMatchObject({ state: 'done' });
    const body = await (await alma.fetch(ENDPOINTS.sisEffect.replace(':file', file))).json();
    const effect = sisEffect.parse(body.data);
    expect(effect.tables).toMatchObject([{ kind: 'enrollment', rows: ROWS }]);
    const fails = doing(effect, 'enrollment').fails ?? 0;
    const pages = Array.from({ length: Math.ceil(fails / 100) }, (_, at) => at + 1);
    const seen = new Set<number>();
    for (const page of pages) {
      const part = await effectRows(alma, file, { table: 'enrollment', does: 'fails', page });
      for (const { row } of part.rows) seen.add(row);
    }
    // Each course names each person once; all other rows are repetitions.
    expect([seen.size, fails]).toEqual([fails, fails]);
    expect(fails).toBeGreaterThan(0);
  });
});
