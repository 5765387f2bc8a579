/** Course and section rows that would end before they start (LMS reference §9.4). */
import { expect, test } from 'vitest';
import { courseEffect, type HeldCourse } from '../src/sis-effect/courses.ts';
import { sectionEffect } from '../src/sis-effect/sections.ts';
import type { Cells } from '../src/sis-effect.ts';

const cells =
  (row: Record<string, string>): Cells =>
  (column) =>
    row[column] === undefined ? undefined : row[column] || null;
const known = { account: () => true, term: () => true, course: () => true };
const message = 'The end date (2026-08-31) is before the start date (2026-09-01).';
const refused = { does: 'fails', why: message, problems: [{ column: 'end_date', message }] };
const early = { start_date: '2026-09-01', end_date: '31.08.2026' };

test('SIS-06: a section that would end before it starts is rejected, even if the row deletes it', () => {
  const row = { section_id: 'S', course_id: 'C', name: 'Evening', ...early };
  const held = { id: 1, name: 'Evening', course: 'C', crossListed: false, integrationId: null };
  const dated = { ...held, start: '2026-09-01T00:00:00Z', end: '2027-01-31T00:00:00Z' };
  for (const status of ['active', 'deleted'])
    expect(sectionEffect(cells({ ...row, status }), dated, known)).toEqual(refused);
  // An empty cell clears the existing start.
  const cleared = { ...row, status: 'active', start_date: '' };
  expect(sectionEffect(cells(cleared), dated, known).does).toBe('changes');
  const unread = { ...row, status: 'active', start_date: 'soon' };
  expect(sectionEffect(cells(unread), dated, known).does).toBe('changes');
});

test('SIS-06: an empty cell keeps a course’s date, which can cause a rejection; <delete> clears it', () => {
  const held = {
    id: 7,
    name: 'Course',
    code: 'CO',
    state: 'available',
    account: null,
    term: null,
    start: '2026-09-01T00:00:00Z',
    end: '2027-01-31T00:00:00Z',
  } as unknown as HeldCourse;
  const effect = (dates: Record<string, string>, on: HeldCourse | null = held) =>
    courseEffect(
      cells({ course_id: 'C', short_name: 'CO', long_name: 'Course', status: 'active', ...dates }),
      on,
      known,
    );
  expect(effect(early, null)).toEqual(refused);
  expect(effect({ start_date: '', end_date: '2026-08-31' })).toEqual(refused);
  expect(effect({ start_date: '<delete>', end_date: '2026-08-31' }).does).toBe('changes');
  expect(effect({ start_date: '', end_date: '2026-09-02' }).does).toBe('changes');
});
