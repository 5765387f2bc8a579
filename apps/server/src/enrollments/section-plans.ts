/** Plans of Section Enrollment: for each section its own people, role and action. Nothing is changed here (area SE). */

import type { SectionPerson, SectionPlan, SectionPlanRequest } from '@lms-admin/contract/enrollments';
import { SECTION_PLAN } from '@lms-admin/contract/plan-kinds';
import { counted } from '@lms-admin/domain/numbers';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { noSuchPlan, readPlan } from '../plans/store.ts';
import { readAsked } from './asked-sections.ts';
import { type PlanServices, requireRole, requireRows } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { plainReview, planSections, sectionPeople, type WorkedPlan } from './section-work.ts';

export interface SectionPlans {
  /**
   * Works out a plan and stores it for a day.
   * @throws AppError not-allowed (role, tool), bad-request (a section twice), too-many-rows: all before anything is sent
   *   to the LMS; the signal's reason
   */
  make(admin: Admin, request: SectionPlanRequest, id: string, progress: PlanProgress): Promise<WorkedPlan>;
  /**
   * What can be said before any work: whether it may be asked for, and what it is called.
   * @throws AppError not-allowed, bad-request (a section twice), too-many-rows
   */
  check(admin: Admin, request: SectionPlanRequest): { label: string };
  /** A plan that this admin made. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<SectionPlan>;
  /** The people found of one section of a plan, in the order they were entered. @throws like `get` */
  people(
    admin: Admin,
    id: string,
    which: { section: number; role?: number | undefined },
  ): Promise<SectionPerson[]>;
}

const TOOL = 'section-enrollment';

export function createSectionPlans(services: PlanServices): SectionPlans {
  const { db } = services.db;

  function read(admin: Admin, request: SectionPlanRequest) {
    requireTool(admin, TOOL);
    const asked = readAsked(request);
    const roles = new Set(asked.map((one) => one.roleId));
    for (const role of roles) requireRole(admin, role, 'section');
    requireRows(
      asked.reduce((rows, one) => rows + one.users.length, 0),
      services.config.maxEnrollmentRows,
    );
    return { asked };
  }

  function check(admin: Admin, request: SectionPlanRequest): { label: string } {
    const { asked } = read(admin, request);
    const people = new Set(asked.flatMap((one) => one.users)).size;
    const sections = new Set(asked.map((one) => one.sectionId)).size;
    return {
      label: `Review: ${counted(people, 'person', 'people')} in ${counted(sections, 'section', 'sections')}`,
    };
  }

  async function make(
    admin: Admin,
    request: SectionPlanRequest,
    id: string,
    progress: PlanProgress,
  ): Promise<WorkedPlan> {
    const { asked } = read(admin, request);
    const work = {
      admin,
      tool: TOOL,
      kind: SECTION_PLAN,
      id,
      asked,
      naming: 'always',
      review: plainReview,
    } as const;
    return planSections(services, work, progress);
  }

  async function get(admin: Admin, id: string): Promise<SectionPlan> {
    requireTool(admin, TOOL);
    const plan = await readPlan<SectionPlan>(db, admin.login, SECTION_PLAN, id, services.identity.known());
    if (!plan) throw noSuchPlan();
    return plan;
  }

  async function people(
    admin: Admin,
    id: string,
    which: { section: number; role?: number | undefined },
  ): Promise<SectionPerson[]> {
    return sectionPeople(db, await get(admin, id), which);
  }

  return { check, make, get, people };
}
