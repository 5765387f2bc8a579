/** Plans of changes that a person looks at before they are sent. */
import type { PlanKind, PlanTool } from '@lms-admin/contract/plan-kinds';
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, canvasId, moment } from './columns.ts';

/** Plans of enrolments and of groups, kept a day. What is large is gzip-compressed JSON. */
export const plans = pgTable(
  'plans',
  {
    id: uuid('id').primaryKey(),
    login: text('login').notNull(),
    /** The tool that made it and that submits it. */
    tool: text('tool').$type<PlanTool>().notNull().default('course-enrollment'),
    /** The kind of job that made it; empty for one of an earlier version that no one can open any more. */
    kind: text('kind').$type<PlanKind | ''>().notNull().default(''),
    /** Role and status of all rows; null where each group of rows has its own (Section Enrollment), or none (groups). */
    roleId: canvasId('role_id'),
    status: text('status').$type<'active' | 'deleted'>(),
    rows: integer('rows').notNull(),
    label: text('label').notNull(),
    /** Which LMS it was worked out for; empty where that is not known. */
    lms: text('lms').notNull().default(''),
    /** The contract's plan, without `import_id`. */
    summary: bytes('summary').notNull(),
    /** `[email, name, sis_user_id][]`; indexes into it are what `plan_courses` holds. */
    people: bytes('people').notNull(),
    /** Whether it notes what was there before, so that its import can be taken back. */
    undoable: boolean('undoable').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('plans_expiry').on(table.expiresAt)],
);

export const planCourses = pgTable(
  'plan_courses',
  {
    planId: uuid('plan_id')
      .notNull()
      .references(() => plans.id, { onDelete: 'cascade' }),
    courseId: canvasId('course_id').notNull(),
    position: integer('position').notNull(),
    sisCourseId: text('sis_course_id').notNull(),
    /** How many CSV rows the course gets. */
    rowCount: integer('row_count').notNull(),
    rows: bytes('rows').notNull(),
  },
  (table) => [primaryKey({ columns: [table.planId, table.courseId] })],
);
