import { FLAGS } from '@lms-admin/domain/access';
import { describe, expect, it, test } from 'vitest';
import { LMS_CALLS, lmsUrl } from '../src/lms-calls.ts';
import { subAccount } from '../src/session.ts';
import { homePath, REDIRECT_ORDER, TOOLS, toolAt, toolById } from '../src/tools.ts';

/** Routes and tabs as documented; additional tools can be missing. */
const DOCUMENTED = [
  ['SHELL-05', '/course-level-admin', 'Course Enrollment', 'course_level_admin', 'exact', true],
  ['SHELL-06', '/sis-import', 'SIS Import', 'sis_import', 'exact', false],
  ['SHELL-07', '/section-level-admin', 'Section Enrollment', 'section_enrollment', 'prefix', true],
  ['SHELL-08', '/zoom-events-run', 'Zoom Event Run', 'zoom_update', 'exact', false],
  ['SHELL-09', '/group-level-admin', 'Group Enrollment', 'group_level_admin', 'prefix', false],
  ['SHELL-10', '/aws-s3-manager', 'Aws S3 Icons', 'aws_s3_manager', 'exact', false],
  ['SHELL-11', '/course-student-export', 'Course Student Exports', 'export_course_students', 'exact', true],
  ['SHELL-12', '/users', 'Search Users', 'user_search', 'exact', true],
  [
    'SHELL-13',
    '/best-teaching-award-reports',
    'Best Teaching Award Report',
    'best_teaching_reports',
    'exact',
    false,
  ],
  ['SHELL-14', '/best-teaching-award-import', null, 'best_teaching_reports', 'exact', false],
  ['SHELL-15', '/zoom-creation', 'Zoom Creation', 'zoom_creation', 'exact', true],
  ['SHELL-16', '/create_user', 'Create Users', 'create_users', 'exact', false],
  ['SHELL-17', null, 'Kaltura Recording Access', 'kaltura_recording_access', 'exact', false],
] as const;

describe('the tool registry', () => {
  test.each(DOCUMENTED)(
    '%s SHELL-02 SHELL-27 OP-18 %s has the tab %s, the flag %s, is matched as %s, has the guide: %s',
    (_id, path, tab, flag, match, guide) => {
      const found = TOOLS.filter((one) => one.path === path && one.tab === tab);
      expect(found).toMatchObject([{ flag, match, guide }]);
      if (path !== null) expect(toolAt(path)).toBe(found[0]);
    },
  );

  it('PERM-03 PERM-19 every flag has a tool, and no tool is repeated', () => {
    expect(new Set(TOOLS.map((tool) => tool.flag))).toEqual(new Set(FLAGS));
    for (const key of ['id', 'path', 'tab'] as const) {
      const values = TOOLS.map((tool) => tool[key]).filter((value) => value !== null);
      expect(new Set(values).size).toBe(values.length);
    }
  });

  it('PERM-06 one flag applies to both award routes', () => {
    expect(TOOLS.filter((tool) => tool.flag === 'best_teaching_reports').map((tool) => tool.path)).toEqual([
      '/best-teaching-award-reports',
      '/best-teaching-award-import',
    ]);
  });

  it('SHELL-04 OP-18 matches / exactly, prefixes by whole segments, and other paths with or without a trailing slash', () => {
    expect(toolAt('/')).toBeNull();
    for (const { path, match } of TOOLS) {
      if (path === null) continue;
      expect(toolAt(`${path}/`)?.path).toBe(path);
      expect(toolAt(`${path}x`)).toBeNull();
      expect(toolAt(`${path}/more`)?.path ?? null).toBe(match === 'prefix' ? path : null);
    }
  });

  it('SHELL-18 SHELL-19 knows no other paths', () => {
    for (const path of ['/error_permission', '/nowhere', '/Course-Level-Admin', '//sis-import'])
      expect(toolAt(path)).toBeNull();
  });

  it('SHELL-20 SHELL-21 SHELL-22 OP-16 OP-17 sends / to the first permitted tool in the documented order', () => {
    const order = REDIRECT_ORDER.map((id) => toolById(id));
    order.forEach((tool, index) => {
      const permitted = new Set(order.slice(index).map((one) => one.flag));
      // The award import shares its flag with the reports and can never be the target.
      const expected = tool.id === 'award-import' ? '/best-teaching-award-reports' : tool.path;
      expect(
        homePath(
          (flag) =>
            permitted.has(flag) &&
            !order.slice(0, index).some((one) => one.flag === flag && tool.id !== 'award-import'),
        ),
      ).toBe(expected);
    });
    expect(homePath((flag) => flag === 'group_level_admin')).toBe('/group-level-admin');
    expect(homePath((flag) => flag === 'kaltura_recording_access')).toBeNull();
    expect(homePath(() => false)).toBeNull();
  });
});

describe('the LMS call registry', () => {
  it('LMS-03 has only the five types, and relative paths', () => {
    for (const call of LMS_CALLS) {
      expect(['GET', 'POST', 'PUT', 'DELETE', 'POST_SIS']).toContain(call.type);
      expect(call.path).toMatch(/^[a-z]\w*(\/:?\w+)*$/);
      expect([...call.path.matchAll(/:(\w+)/g)].map(([, name]) => name)).toEqual(Object.keys(call.params));
    }
    const ids = LMS_CALLS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  // Additional calls, which are not documented, can be missing.
  it.each([
    ['LMS-04', 'GET accounts/1/sub_accounts'],
    ['LMS-05', 'GET accounts/:account/sub_accounts'],
    ['LMS-06', 'GET accounts/1/terms'],
    ['LMS-07, LMS-08', 'GET accounts/:account/courses'],
    ['LMS-09', 'GET accounts/1/roles'],
    ['LMS-10, LMS-23', 'GET accounts/1/users'],
    ['LMS-11, IMP-20', 'POST_SIS accounts/1/sis_imports'],
    ['LMS-12', 'GET accounts/1/sis_imports/:import'],
    ['LMS-13', 'GET courses/:course/sections'],
    ['LMS-14', 'PUT sections/:section'],
    ['LMS-20', 'GET courses/:course'],
    ['AUTH-25', 'DELETE login/oauth2/token'],
  ])('%s has the documented call %s', (_id, documented) => {
    expect(LMS_CALLS.map(({ type, path }) => `${type} ${path}`)).toContain(documented);
  });

  it('K-03 lists are requested in pages of a hundred', () => {
    for (const { paged, query } of LMS_CALLS) {
      if (!paged) continue;
      expect([query.per_page?.safeParse('100').success, query.per_page?.safeParse('50').success]).toEqual([
        true,
        false,
      ]);
    }
    expect(
      lmsUrl('courses', { account: 86 }, [
        ['per_page', '100'],
        ['include[]', 'term'],
      ]),
    ).toBe('accounts/86/courses?per_page=100&include[]=term');
  });
});

describe('the access record', () => {
  it('PERM-03 PERM-04 OP-12 contains the flags, perm and the lists; a flag counts only if it is true', () => {
    const record = {
      perm: 'CUSTOM',
      sub_accounts: '86, 120',
      roles: '3',
      section_roles: '',
      email: 'a@school.example',
    };
    expect(subAccount.parse({ ...record, sis_import: true })).toMatchObject({
      sis_import: true,
      course_level_admin: false,
      feature_permissions: { zoom_update_courses_delete: false },
    });
    for (const broken of [
      { ...record, sis_import: 'true' },
      { ...record, perm: 'all' },
      { ...record, roles: '3;4' },
      { ...record, sub_acounts: '86' },
      { ...record, email: 'nobody' },
    ]) {
      expect(subAccount.safeParse(broken).success).toBe(false);
    }
  });
});
