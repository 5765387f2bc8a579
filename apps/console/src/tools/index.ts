/** The screen of each tool that is built, loaded when its route is first opened. */
import type { ToolId } from '@lms-admin/contract/tools';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export const SCREENS: Partial<Record<ToolId, LazyExoticComponent<ComponentType>>> = {
  'course-enrollment': lazy(() => import('./course-enrollment/CourseEnrollment.tsx')),
  'sis-import': lazy(() => import('./sis-import/SisImport.tsx')),
  'section-enrollment': lazy(() => import('./section-enrollment/SectionEnrollment.tsx')),
  'create-users': lazy(() => import('./create-users/CreateUsers.tsx')),
  'search-users': lazy(() => import('./search-users/SearchUsers.tsx')),
};

/** What people typed, by the names of the stored parts: a press on a tab leaves it (SHELL-25, OP-20). */
export const TYPED: Partial<Record<ToolId, readonly string[]>> = {
  'course-enrollment': ['people', 'role', 'status'],
  'section-enrollment': ['assigned'],
  'create-users': ['rows', 'undo', 'pasted', 'simulate'],
};
