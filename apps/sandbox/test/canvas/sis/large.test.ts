import { expect, test } from 'vitest';
import { Campus } from './campus.ts';

const ROWS = 100_000;
const PEOPLE = 1000;
const COURSES = 200;

test('§7.3 100,000 enrolment rows at instant pace are imported in slices, so that other work gets a turn', async () => {
  const campus = new Campus();
  const lines = (n: number, line: (i: number) => string) =>
    Array.from({ length: n }, (_, i) => line(i)).join('\n');
  await campus.import(
    `course_id,short_name,long_name,status\n${lines(COURSES, (i) => `C${i},C${i},Course ${i},active`)}\n`,
  );
  await campus.import(`user_id,login_id,status\n${lines(PEOPLE, (i) => `U${i},u${i},active`)}\n`);
  const csv = lines(ROWS, (i) => `C${i % COURSES},U${Math.floor(i / COURSES) % PEOPLE},student,,active`);
  let turns = 0;
  const watch = setInterval(() => {
    turns += 1;
  }, 1);
  const batch = await campus.import(`course_id,user_id,role,section_id,status\n${csv}\n`);
  clearInterval(watch);
  expect(batch.workflow_state).toBe('imported');
  expect(campus.world.enrollments.size).toBe(ROWS);
  // An import in one go would leave no turns for other work.
  expect(turns).toBeGreaterThan(20);
});
