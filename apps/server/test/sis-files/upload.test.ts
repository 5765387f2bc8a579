/** SIS files: uploaded, checked, submitted, imported (requirements SIS). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { sisFile } from '@lms-admin/contract/sis-files';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Campus, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { uploaded } from './support.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());
beforeEach(() => campus.forgetRequests());

const posts = () => campus.requests((one) => one.method === 'POST' && one.path.includes('/sis_imports'));

describe('a CSV', () => {
  test('SIS-01, SIS-07, IMP-12, IMP-14: is uploaded, checked, submitted and imported with its counts', async () => {
    const { sis, id } = campus.course(0);
    const people = campus.strangers(3, [id]);
    const rows = people.map((person) => `${sis},${person.sis},3,active`);
    const file = await uploaded(
      alma,
      `course_id,user_id,role_id,status\r\n${rows.join('\r\n')}\r\n`,
      'spring.csv',
    );
    expect(file).toMatchObject({
      name: 'spring.csv',
      zip: false,
      rows: 3,
      notices: [],
      import_id: null,
      parts: [
        {
          kind: 'enrollment',
          header: ['course_id', 'user_id', 'role_id', 'status'],
          rows: 3,
          statuses: { active: 3 },
          encoding: 'utf-8',
          delimiter: ',',
        },
      ],
    });
    expect(file.parts[0]?.preview).toEqual(rows.map((row) => row.split(',')));
    expect(await posts()).toEqual([]);

    const first = await submitted(alma, { file: file.id });
    expect(first).toMatchObject({
      id: file.id,
      tool: 'sis-import',
      rows: 3,
      label: 'spring.csv: 3 enrollment rows',
    });
    const done = await watch(alma, first.id);
    expect(done).toMatchObject({
      workflow_state: 'imported',
      final: true,
      data: { counts: { enrollments: 3 } },
    });
    const inside = new Set((await campus.enrolments(id, 3)).map((one) => one.user_id));
    expect(people.every((person) => inside.has(person.id))).toBe(true);

    const again = await alma.fetch(ENDPOINTS.sisFile.replace(':file', file.id));
    expect(sisFile.parse((await again.json()).data)).toEqual({ ...file, import_id: file.id });
  });
});
