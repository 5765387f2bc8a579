/** Plans of changes that an admin reviews before they are sent. */
import type { PlanKind, PlanTool } from '@lms-admin/contract/plan-kinds';
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, canvasId, moment } from './columns.ts';

/** Plans of enrolments and of groups, kept for a day. Large values are gzip-compressed JSON. */
export const plans = pgTable(
  'plans',
  {
    id: uuid('id').primaryKey(),
    login: text('login').notNull(),
    /** The tool that made and submits it. */
    tool: text('tool').$type<PlanTool>().notNull().default('course-enrollment'),
    /** The kind of job that made it; empty for one of an earlier version that cannot be opened any more. */
    kind: text('kind').$type<PlanKind | ''>().notNull().default(''),
    /** Role and status of all rows; null if each group of rows has its own (Section Enrollment), or none (groups). */
    roleId: canvasId('role_id'),
    status: text('status').$type<'active' | 'deleted'>(),
    rows: integer('rows').notNull(),
    label: text('label').notNull(),
    /** The LMS that the plan was made for; empty if not known. */
    lms: text('lms').notNull().default(''),
    /** The contract's plan, without `import_id`. */
    summary: bytes('summary').notNull(),
    /** `[email, name, sis_user_id][]`; `plan_courses` stores indexes into it. */
    people: bytes('people').notNull(),
    /** Whether the plan stores the previous state, which makes its import undoable. */
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
    /** Number of CSV rows of the course. */
    rowCount: integer('row_count').notNull(),
    rows: bytes('rows').notNull(),
  },
  (table) => [primaryKey({ columns: [table.planId, table.courseId] })],
);
