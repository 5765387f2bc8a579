/** Files in which an end comes before its start (reference §9.4), and the list of running imports (§7). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client, smallSchool, warnings } from './client.ts';

let client: Client;
beforeAll(async () => {
  client = await Client.start();
  await smallSchool(client);
});
afterAll(() => client.sandbox.close());

const EARLY = '2026-01-10T00:00:00Z';
const LATE = '2026-06-10T00:00:00Z';

test('§9.4 a section or course that ends before it starts is not valid', async () => {
  const section = (start: string, end: string) =>
    client.csv(
      'section_id,course_id,name,status,start_date,end_date',
      `S-END,C001,Ends,active,${start},${end}`,
    );
  expect(warnings(await section(LATE, EARLY))).toEqual([
    'A section did not pass validation (section: S-END / Ends, course: C001, error: End at End date cannot be before start date)',
  ]);
  expect(client.world.sections.by.sis.get('S-END')).toBeUndefined();
  expect((await section(EARLY, LATE)).data.counts['sections']).toBe(1);

  const course = (start: string, end: string) =>
    client.csv(
      'course_id,short_name,long_name,status,start_date,end_date',
      `C001,TC 101,Test Course 101,active,${start},${end}`,
    );
  const refused =
    'A course did not pass validation (course: C001 / TC 101, error: Conclude at End date cannot be before start date)';
  expect(warnings(await course(LATE, EARLY))).toEqual([refused]);
  expect(warnings(await course(EARLY, LATE))).toEqual([]);
  // An empty cell keeps the existing date.
  expect(warnings(await course('2026-07-01T00:00:00Z', ''))).toEqual([refused]);
  expect(client.world.courses.by.sis.get('C001')).toMatchObject({ start_at: EARLY, conclude_at: LATE });
});

test('§9.3 a term can end before it starts', async () => {
  const read = await client.csv(
    'term_id,name,status,start_date,end_date',
    `T-END,Ends,active,${LATE},${EARLY}`,
  );
  expect([warnings(read), read.data.counts['terms']]).toEqual([[], 1]);
});

test('§7 the list of running imports is complete and not paginated', async () => {
  const answer = await client.fetch(`${client.imports}/importing?page=0&per_page=1`);
  expect([answer.status, answer.headers.get('link'), await answer.json()]).toEqual([
    200,
    null,
    { sis_imports: [] },
  ]);
});
