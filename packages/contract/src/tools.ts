/** The tool registry: tabs, routes, root redirect, guide button and the server's permission checks are based on it. */
import type { Flag } from '@lms-admin/domain/access';
import type { LmsCallId } from './lms-calls.ts';

export type ToolId =
  | 'course-enrollment'
  | 'sis-import'
  | 'section-enrollment'
  | 'zoom-run'
  | 'group-enrollment'
  | 'images'
  | 'student-export'
  | 'search-users'
  | 'award-reports'
  | 'award-import'
  | 'zoom-creation'
  | 'create-users'
  | 'access'
  | 'recordings'
  | 'system';

export interface Tool {
  readonly id: ToolId;
  /** Path of the screen; null for a tool that is a link outside the console. */
  readonly path: string | null;
  /** `exact` allows one trailing slash; `prefix` also matches whole segments below (OP-18). */
  readonly match: 'exact' | 'prefix';
  /** Text of the tab; null for a screen without one. */
  readonly tab: string | null;
  readonly flag: Flag;
  /** Whether the screen has the round 'Guide' button (SHELL-27). */
  readonly guide: boolean;
  /** LMS calls of the tool: its flag allows them, and no other flag does. */
  readonly calls: readonly LmsCallId[];
}

const PICKER: readonly LmsCallId[] = [
  'programmes',
  'sub-accounts',
  'terms',
  'courses',
  'roles',
  'course',
  'sections',
];
const IMPORT: readonly LmsCallId[] = ['sis-import-create', 'sis-import-status'];

/** The screen that shows and changes access; everyone's own access is at a path below it. */
export const ACCESS_PATH = '/access';
export const OWN_ACCESS_PATH = '/access/me';

/** In the order of the tabs. */
export const TOOLS: readonly Tool[] = [
  {
    id: 'course-enrollment',
    path: '/course-level-admin',
    match: 'exact',
    tab: 'Course Enrollment',
    flag: 'course_level_admin',
    guide: true,
    calls: [...PICKER, 'user-by-email', ...IMPORT],
  },
  {
    id: 'sis-import',
    path: '/sis-import',
    match: 'exact',
    tab: 'SIS Import',
    flag: 'sis_import',
    guide: false,
    calls: [...IMPORT],
  },
  {
    id: 'section-enrollment',
    path: '/section-level-admin',
    match: 'prefix',
    tab: 'Section Enrollment',
    flag: 'section_enrollment',
    guide: true,
    calls: [...PICKER, 'user-by-sis-id', 'section-sis-id', ...IMPORT],
  },
  {
    id: 'zoom-run',
    path: '/zoom-events-run',
    match: 'exact',
    tab: 'Zoom Event Run',
    flag: 'zoom_update',
    guide: false,
    calls: ['course'],
  },
  {
    id: 'group-enrollment',
    path: '/group-level-admin',
    match: 'prefix',
    tab: 'Group Enrollment',
    flag: 'group_level_admin',
    guide: false,
    calls: [
      ...PICKER,
      'group-categories',
      'group-category-create',
      'group-category-sis-id',
      'category-groups',
      ...IMPORT,
    ],
  },
  {
    id: 'images',
    path: '/aws-s3-manager',
    match: 'exact',
    tab: 'Aws S3 Icons',
    flag: 'aws_s3_manager',
    guide: false,
    calls: [],
  },
  {
    id: 'student-export',
    path: '/course-student-export',
    match: 'exact',
    tab: 'Course Student Exports',
    flag: 'export_course_students',
    guide: true,
    calls: ['course-details'],
  },
  {
    id: 'search-users',
    path: '/users',
    match: 'exact',
    tab: 'Search Users',
    flag: 'user_search',
    guide: true,
    calls: ['user-search'],
  },
  {
    id: 'award-reports',
    path: '/best-teaching-award-reports',
    match: 'exact',
    tab: 'Best Teaching Award Report',
    flag: 'best_teaching_reports',
    guide: false,
    calls: [],
  },
  {
    id: 'award-import',
    path: '/best-teaching-award-import',
    match: 'exact',
    tab: null,
    flag: 'best_teaching_reports',
    guide: false,
    calls: [],
  },
  {
    id: 'zoom-creation',
    path: '/zoom-creation',
    match: 'exact',
    tab: 'Zoom Creation',
    flag: 'zoom_creation',
    guide: true,
    calls: ['course', 'calendar-events'],
  },
  {
    id: 'create-users',
    path: '/create_user',
    match: 'exact',
    tab: 'Create Users',
    flag: 'create_users',
    guide: false,
    calls: ['user-by-email', 'user-by-sis-id', ...IMPORT],
  },
  {
    id: 'access',
    path: ACCESS_PATH,
    match: 'exact',
    tab: 'Access',
    flag: 'access_admin',
    guide: true,
    calls: [],
  },
  {
    id: 'recordings',
    path: null,
    match: 'exact',
    tab: 'Kaltura Recording Access',
    flag: 'kaltura_recording_access',
    guide: false,
    calls: [],
  },
  {
    // Our own addition: 'All tools' links to it.
    id: 'system',
    path: '/system',
    match: 'exact',
    tab: null,
    flag: 'system',
    guide: false,
    calls: [],
  },
];

/** Order in which `/` looks for the first permitted tool (SHELL-20, SHELL-21 as decided by OP-16, SHELL-22). */
export const REDIRECT_ORDER: readonly ToolId[] = [
  'course-enrollment',
  'sis-import',
  'section-enrollment',
  'zoom-run',
  'images',
  'student-export',
  'award-reports',
  'award-import',
  'group-enrollment',
  'search-users',
  'zoom-creation',
  'create-users',
  'access',
  'system',
];

const BY_ID = new Map(TOOLS.map((tool) => [tool.id, tool]));

export function toolById(id: ToolId): Tool {
  const tool = BY_ID.get(id);
  if (!tool) throw new Error(`no tool ${id}`);
  return tool;
}

/** Returns the tool whose screen has this path, whatever the person's access; null for any other path. */
export function toolAt(pathname: string): Tool | null {
  return (
    TOOLS.find(
      ({ path, match }) =>
        path !== null &&
        (pathname === path ||
          pathname === `${path}/` ||
          (match === 'prefix' && pathname.startsWith(`${path}/`))),
    ) ?? null
  );
}

/** Returns the target of `/` for a person who can use these tools; null when no screen is permitted (SHELL-23). */
export function homePath(mayUse: (flag: Flag) => boolean): string | null {
  for (const id of REDIRECT_ORDER) {
    const tool = toolById(id);
    if (tool.path !== null && mayUse(tool.flag)) return tool.path;
  }
  return null;
}

/**
 * Which tools can send what: a payload that none of the person's tools can send is rejected. Either enrolment tool can
 * send enrolment rows that name a section, by the role list of its level (OP-34).
 */
export const SUBMIT_TOOLS = {
  'course-rows': ['course-enrollment'],
  'section-rows': ['section-enrollment', 'course-enrollment'],
  'user-rows': ['create-users'],
  'group-rows': ['group-enrollment'],
  'membership-rows': ['group-enrollment'],
  file: ['sis-import'],
} as const satisfies Record<string, readonly ToolId[]>;

/** Returns the tools that use one of these LMS calls. */
export function toolsCalling(...calls: readonly LmsCallId[]): readonly ToolId[] {
  return TOOLS.filter((tool) => calls.some((call) => tool.calls.includes(call))).map(({ id }) => id);
}
