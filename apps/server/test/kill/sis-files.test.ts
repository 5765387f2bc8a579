/** The process is killed at every moment of an import of an uploaded file; it is sent once (area SIS, OP-42). */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Campus, submitted, watch } from '../enrollments/campus.ts';
import { uploaded, zipOf } from '../sis-files/support.ts';
import type { Browser } from '../support/browser.ts';
import { chosenDatabase } from '../support/databases.ts';
import { type House, openHouse, pause, STEPS } from './house.ts';
import type { Process } from './process.ts';

let house: House;
let campus: Campus;
let server: Process;
let alma: Browser;

beforeAll(async () => {
  house = await openHouse();
  ({ campus, server, alma } = house);
});
afterAll(() => house?.close());
beforeEach(() => campus.forgetRequests());
afterEach(() => campus.clearFaults());

let used = 0;

describe('an uploaded file (SIS Import)', () => {
  async function send(zipped: boolean) {
    const course = campus.courses()[used++];
    const people = campus.strangers(20, [course?.id ?? 0]);
    const rows = people.map((person) => `${course?.sis_source_id},${person.sis},3,active`);
    const csv = `course_id,user_id,role_id,status\n${rows.join('\n')}`;
    const file = await uploaded(alma, zipped ? await zipOf({ 'term.csv': csv }) : csv);
    return { file, people, courseId: course?.id ?? 0, id: (await submitted(alma, { file: file.id })).id };
  }
  async function expectSentOnce({ file, people, courseId, id }: Awaited<ReturnType<typeof send>>) {
    // The person presses the button again.
    expect((await submitted(alma, { file: file.id })).id).toBe(id);
    const done = await watch(alma, id);
    expect(done).toMatchObject({ workflow_state: 'imported', data: { counts: { enrollments: 20 } } });
    expect(await campus.importsNamed(id)).toHaveLength(1);
    // None when the answer was cut off.
    expect((await house.posts()).length).toBeLessThanOrEqual(1);
    const inside = (await campus.enrolments(courseId, 3)).map((one) => one.user_id);
    for (const { id: person } of people) expect(inside.filter((one) => one === person)).toHaveLength(1);
  }

  test.each(STEPS)('SIS-01, OP-42: killed %s', async (_step, fault, reached) => {
    await campus.fault(fault);
    const one = await send(true);
    await reached(house);
    await server.kill();
    await campus.clearFaults();
    await server.start();
    await expectSentOnce(one);
  });

  test('SIS-01, OP-42: killed while following, and after the end', async () => {
    const one = await send(false);
    await watch(alma, one.id, (now) => now.workflow_state === 'importing' || now.final);
    await house.restart();
    await expectSentOnce(one);
    await house.restart();
    await expectSentOnce(one);
  });

  test('SIS-09: killed while a zip comes in: what was laid down is gone, and the next try works', async () => {
    const boundary = 'a-boundary';
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\u0003\u0004`;
        controller.enqueue(new TextEncoder().encode(head + 'x'.repeat(1_000_000)));
      },
    });
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const cut = alma
      .fetch(ENDPOINTS.sisFiles, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
      .catch(() => null);
    const laidDown = () => readdir(join(house.folder, 'uploads')).catch(() => []);
    for (let round = 0; round < 200 && (await laidDown()).length === 0; round++) await pause(25);
    expect(await laidDown()).toHaveLength(1);
    await house.restart();
    await cut;
    // Beside PostgreSQL it might be another process's; then it goes later.
    if (chosenDatabase() === 'pglite') expect(await laidDown()).toEqual([]);
    await expectSentOnce(await send(true));
  });
});
