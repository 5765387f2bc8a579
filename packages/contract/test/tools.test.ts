import { FLAGS } from '@lms-admin/domain/access';
import { describe, expect, it, test } from 'vitest';
import { LMS_CALLS, lmsUrl } from '../src/lms-calls.ts';
import { subAccount } from '../src/session.ts';
import { homePath, REDIRECT_ORDER, TOOLS, toolAt, toolById } from '../src/tools.ts';

/** The table of routes and tabs as the documents have it. */
const DOCUMENTED = [
  ['SHELL-05', '/course-level-admin', 'Course Enrollment', 'course_level_admin'],
  ['SHELL-06', '/sis-import', 'SIS Import', 'sis_import'],
  ['SHELL-07', '/section-level-admin', 'Section Enrollment', 'section_enrollment'],
  ['SHELL-08', '/zoom-events-run', 'Zoom Event Run', 'zoom_update'],
  ['SHELL-09', '/group-level-admin', 'Group Enrollment', 'group_level_admin'],
  ['SHELL-10', '/aws-s3-manager', 'Aws S3 Icons', 'aws_s3_manager'],
  ['SHELL-11', '/course-student-export', 'Course Student Exports', 'export_course_students'],
  ['SHELL-12', '/users', 'Search Users', 'user_search'],
  ['SHELL-13', '/best-teaching-award-reports', 'Best Teaching Award Report', 'best_teaching_reports'],
  ['SHELL-14', '/best-teaching-award-import', null, 'best_teaching_reports'],
  ['SHELL-15', '/zoom-creation', 'Zoom Creation', 'zoom_creation'],
  ['SHELL-16', '/create_user', 'Create Users', 'create_users'],
  ['SHELL-17', null, 'Kaltura Recording Access', 'kaltura_recording_access'],
] as const;

describe('the tool registry', () => {
  test.each(DOCUMENTED)('%s %s has the tab %s and the flag %s', (_id, path, tab, flag) => {
    const [tool] = TOOLS.filter((one) => one.path === path && one.tab === tab);
    expect(tool?.flag).toBe(flag);
    if (path !== null) expect(toolAt(path)).toBe(tool);
  });

  it('SHELL-02 PERM-03 PERM-19 has every tool and no flag without one', () => {
    expect(TOOLS).toHaveLength(DOCUMENTED.length);
    expect(new Set(TOOLS.map((tool) => tool.flag))).toEqual(new Set(FLAGS));
  });

  it('PERM-06 one flag governs both routes of the award', () => {
    expect(TOOLS.filter((tool) => tool.flag === 'best_teaching_reports').map((tool) => tool.path)).toEqual([
      '/best-teaching-award-reports',
      '/best-teaching-award-import',
    ]);
  });

  it('SHELL-04 OP-18 matches / exactly, prefixes by whole segments, everything else with one trailing slash', () => {
    expect(toolAt('/')).toBeNull();
    for (const { path, match } of TOOLS) {
      if (path === null) continue;
      expect(toolAt(`${path}/`)?.path).toBe(path);
      expect(toolAt(`${path}x`)).toBeNull();
      expect(toolAt(`${path}/more`)?.path ?? null).toBe(match === 'prefix' ? path : null);
    }
    expect(TOOLS.filter((tool) => tool.match === 'prefix').map((tool) => tool.id)).toEqual([
      'section-enrollment',
      'group-enrollment',
    ]);
  });

  it('SHELL-18 SHELL-19 knows no other path', () => {
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

  it('SHELL-27 offers the guide on five routes and nowhere else', () => {
    expect(TOOLS.filter((tool) => tool.guide).map((tool) => tool.path)).toEqual([
      '/course-level-admin',
      '/section-level-admin',
      '/course-student-export',
      '/users',
      '/zoom-creation',
    ]);
  });
});

describe('the LMS call registry', () => {
  it('LMS-03 knows the five types and relative paths only', () => {
    for (const call of LMS_CALLS) {
      expect(['GET', 'POST', 'PUT', 'DELETE', 'POST_SIS']).toContain(call.type);
      expect(call.path).toMatch(/^(accounts|courses|login|sections|users)\/[\w/:]+$/);
      expect([...call.path.matchAll(/:(\w+)/g)].map(([, name]) => name)).toEqual(Object.keys(call.params));
    }
  });

  it('LMS-04 to LMS-13, LMS-20 K-03 IMP-20 has the documented shapes', () => {
    expect(LMS_CALLS.map(({ type, path }) => `${type} ${path}`).sort()).toEqual([
      'DELETE login/oauth2/token',
      'GET accounts/1/roles',
      'GET accounts/1/sis_imports/:import',
      'GET accounts/1/sub_accounts',
      'GET accounts/1/terms',
      'GET accounts/1/users',
      'GET accounts/1/users',
      'GET accounts/:account/courses',
      'GET accounts/:account/sub_accounts',
      'GET courses/:course',
      'GET courses/:course/sections',
      'GET users/:person',
      'POST_SIS accounts/1/sis_imports',
      'PUT sections/:section',
    ]);
    for (const call of LMS_CALLS) {
      if (call.paged)
        expect(
          call.query.per_page?.safeParse('100').success && !call.query.per_page.safeParse('50').success,
        ).toBe(true);
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
  it('PERM-03 PERM-04 OP-12 holds the flags, perm and the lists; a flag counts only when it is true', () => {
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
