/**
 * Every field of new and restored objects: rows for courses, sections, accounts and terms (LMS reference
 * §9.3, §9.4).
 */
import { describe, expect, test } from 'vitest';
import { accountEffect } from '../src/sis-effect/accounts.ts';
import { courseEffect, type HeldCourse } from '../src/sis-effect/courses.ts';
import { sectionEffect } from '../src/sis-effect/sections.ts';
import { type HeldTerm, termEffect } from '../src/sis-effect/terms.ts';
import type { Cells } from '../src/sis-effect.ts';

const cells =
  (row: Record<string, string>): Cells =>
  (column) =>
    row[column] === undefined ? undefined : row[column] || null;
const known = { account: () => true, term: () => true, course: () => true };

describe('new objects are shown with every field that the LMS takes from the row', () => {
  test('SIS-06: a new section is shown with its dates, which an empty cell clears later', () => {
    const row = {
      section_id: 'S',
      course_id: 'C',
      name: 'Evening',
      status: 'active',
      start_date: '2026-09-01',
    };
    const dated = { ...row, end_date: '2027-01-31', integration_id: 'I' };
    expect(sectionEffect(cells(dated), null, known)).toMatchObject({
      does: 'creates',
      why: expect.stringContaining('the LMS restores the section'),
      fields: [
        ['name', null, 'Evening'],
        ['course_id', null, 'C'],
        ['start_date', null, '2026-09-01T00:00:00Z'],
        ['end_date', null, '2027-01-31T00:00:00Z'],
        ['integration_id', null, 'I'],
      ],
    });
    const held = { id: 1, name: 'Evening', course: 'C', crossListed: false, start: '2026-09-01T00:00:00Z' };
    const full = { ...held, end: '2027-01-31T00:00:00Z', integrationId: 'I' };
    expect(sectionEffect(cells(row), full, known).fields).toEqual([
      ['end_date', '2027-01-31T00:00:00Z', null],
      ['integration_id', 'I', null],
    ]);
  });

  test.each([
    ['active', []],
    ['unpublished', []],
    ['Published', [['status', null, 'available']]],
    ['completed', [['status', null, 'completed']]],
  ])('SIS-06: a new course is shown with %s', (status, state) => {
    const row = { course_id: 'C', short_name: 'CO', long_name: 'Course', status };
    expect(courseEffect(cells(row), null, known).fields).toEqual([
      ...state,
      ['long_name', null, 'Course'],
      ['short_name', null, 'CO'],
    ]);
  });

  test('SIS-06: an empty cell clears a course setting, and a missing column keeps it', () => {
    const held: HeldCourse = {
      id: 7,
      name: 'Course',
      code: 'CO',
      state: 'available',
      account: null,
      term: null,
      start: null,
      end: null,
      integrationId: null,
      format: 'online',
      passback: 'nightly_sync',
      homeroom: true,
      friendlyName: null,
    };
    const row = { course_id: 'C', short_name: 'CO', long_name: 'Course', status: 'active' };
    expect(courseEffect(cells(row), held, known).does).toBe('nothing');
    const cleared = { course_format: '', grade_passback_setting: 'not_set', homeroom_course: 'no' };
    expect(courseEffect(cells({ ...row, ...cleared }), held, known).fields).toEqual([
      ['course_format', 'online', null],
      ['grade_passback_setting', 'nightly_sync', null],
      ['homeroom_course', 'true', 'false'],
    ]);
  });

  test('SIS-06: new accounts and terms are shown with every field; terms are visible even when deleted', () => {
    const account = {
      account_id: 'A',
      parent_account_id: '',
      name: 'New',
      status: 'active',
      integration_id: 'I',
    };
    expect(accountEffect(cells(account), null, known).fields).toEqual([
      ['name', null, 'New'],
      ['integration_id', null, 'I'],
    ]);
    const term = { term_id: 'T', name: 'Spring', status: 'active', start_date: '2027-01-01' };
    expect(termEffect(cells(term), null).fields).toEqual([
      ['name', null, 'Spring'],
      ['start_date', null, '2027-01-01T00:00:00Z'],
    ]);
    const gone: HeldTerm = { id: 3, name: 'Old', state: 'deleted', start: null, end: null };
    expect(termEffect(cells(term), gone)).toMatchObject({
      does: 'restores',
      fields: [
        ['status', 'deleted', 'active'],
        ['name', 'Old', 'Spring'],
        ['start_date', null, '2027-01-01T00:00:00Z'],
      ],
    });
    const stays = termEffect(cells({ ...term, status: 'deleted' }), gone);
    expect(stays).toMatchObject({
      does: 'changes',
      why: expect.stringMatching(/^The term is already deleted\./),
    });
    expect(
      termEffect(cells({ term_id: 'T', name: gone.name, status: 'deleted' }), {
        ...gone,
        start: null,
        end: null,
      }).does,
    ).toBe('nothing');
  });
});
