import { AUTO_SELECTED_PROGRAMME_IDS } from '@lms-admin/domain/constants';
import { expect, it } from 'vitest';
import { course, role, user } from '../src/canvas-objects.ts';
import { sisImport } from '../src/imports.ts';

it('PICK-12 PICK-13 a course keeps the fields that pickers read; the SIS ID of a course created by hand is null, not missing', () => {
  const read = course.parse({
    id: 7,
    name: 'Finance',
    account_id: 86,
    sis_course_id: 'MBA26-FBL-FIN101-A',
    enrollment_term_id: 3,
    term: { id: 3, name: 'MBA 2026-27 P1', start_at: null, end_at: '2026-12-18T23:59:59Z' },
    workflow_state: 'available',
    end_at: null,
    restrict_enrollments_to_course_dates: false,
    course_code: 'FIN101',
    total_students: 40,
    uuid: 'not for the browser',
  });
  expect(read).toEqual({
    id: 7,
    name: 'Finance',
    account_id: 86,
    sis_course_id: 'MBA26-FBL-FIN101-A',
    enrollment_term_id: 3,
    term: { id: 3, name: 'MBA 2026-27 P1' },
    course_code: 'FIN101',
    total_students: 40,
  });
  const byHand = course.parse({
    id: 8,
    name: 'By hand',
    account_id: 86,
    enrollment_term_id: 3,
    sis_course_id: null,
  });
  expect(byHand.sis_course_id).toBeNull();
});

it('PICK-15 LMS-10 a role has id, label and role; a person has login and SIS ID; nothing else is sent', () => {
  expect(role.parse({ id: 3, label: 'Student', role: 'StudentEnrollment', permissions: { x: {} } })).toEqual({
    id: 3,
    label: 'Student',
    role: 'StudentEnrollment',
  });
  expect(
    user.parse({ id: 9, name: 'A', login_id: 'a@school.example', email: 'private@home.example' }),
  ).toEqual({
    id: 9,
    name: 'A',
    login_id: 'a@school.example',
    sis_user_id: null,
  });
});

it('PICK-20 OP-25 nine programmes have automatic sub-accounts', () => {
  expect(AUTO_SELECTED_PROGRAMME_IDS).toEqual([86, 163, 83, 120, 138, 167, 2, 73, 269]);
});

it('IMP-03 an import in the second half has the same fields', () => {
  expect(Object.keys(sisImport.shape)).toEqual(
    expect.arrayContaining([
      'id',
      'workflow_state',
      'processing_warnings',
      'processing_errors',
      'errors_attachment',
      'data',
    ]),
  );
});
