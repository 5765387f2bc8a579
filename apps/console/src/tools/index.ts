/** What each tool adds to the console: its screen, and how Activity shows the results of its jobs. */
import type { SisImport } from '@lms-admin/contract/imports';
import type { JobDetail } from '@lms-admin/contract/jobs';
import { COURSE_PLAN, GROUP_PLAN, MEMBER_PLAN, SECTION_PLAN } from '@lms-admin/contract/plan-kinds';
import type { ToolId } from '@lms-admin/contract/tools';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** The screen of each existing tool, loaded when its route is first opened. */
export const SCREENS: Partial<Record<ToolId, LazyExoticComponent<ComponentType>>> = {
  'course-enrollment': lazy(() => import('./course-enrollment/CourseEnrollment.tsx')),
  'sis-import': lazy(() => import('./sis-import/SisImport.tsx')),
  'section-enrollment': lazy(() => import('./section-enrollment/SectionEnrollment.tsx')),
  'zoom-run': lazy(() => import('./zoom-run/ZoomRun.tsx')),
  'group-enrollment': lazy(() => import('./group-enrollment/GroupEnrollment.tsx')),
  'create-users': lazy(() => import('./create-users/CreateUsers.tsx')),
  'student-export': lazy(() => import('./student-export/StudentExport.tsx')),
  'zoom-creation': lazy(() => import('./zoom-creation/ZoomCreation.tsx')),
  images: lazy(() => import('./images/Images.tsx')),
  'search-users': lazy(() => import('./search-users/SearchUsers.tsx')),
  'award-reports': lazy(() => import('./award-reports/AwardReports.tsx')),
  access: lazy(() => import('./access/Access.tsx')),
  'award-import': lazy(() => import('./award-import/AwardImport.tsx')),
  system: lazy(() => import('./system/System.tsx')),
};

const PlanOfJob = lazy(() => import('../components/Planning/PlanOfJob.tsx'));

/** By kind of job: the component that shows its result, below its outcome, to the administrator who started it. */
export const RESULTS: Partial<Record<string, LazyExoticComponent<ComponentType<{ job: JobDetail }>>>> = {
  [COURSE_PLAN]: PlanOfJob,
  [SECTION_PLAN]: PlanOfJob,
  [GROUP_PLAN]: PlanOfJob,
  [MEMBER_PLAN]: PlanOfJob,
};

/** By tool: the component shown below its imports to the administrator who sent them. */
export const IMPORT_RESULTS: Partial<Record<string, LazyExoticComponent<ComponentType<{ of: SisImport }>>>> =
  {
    'sis-import': lazy(() =>
      import('./sis-import/SentFile.tsx').then(({ SentFileOfImport }) => ({ default: SentFileOfImport })),
    ),
  };

/** Names of the stored parts with typed entries, which a press on a tab keeps (SHELL-25, OP-20). */
export const TYPED: Partial<Record<ToolId, readonly string[]>> = {
  'course-enrollment': ['people', 'role', 'status'],
  'section-enrollment': ['assigned'],
  'zoom-run': ['chips'],
  'group-enrollment': ['works', 'files', 'pasted'],
  'create-users': ['rows', 'undo', 'pasted', 'simulate'],
  images: ['open'],
  'sis-import': ['unsent', 'columns'],
};
