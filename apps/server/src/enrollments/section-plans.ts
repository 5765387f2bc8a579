/** Plans of Section Enrollment: sections with their own people, role and action. Planning changes nothing (area SE). */

import type { SectionPerson, SectionPlan, SectionPlanRequest } from '@lms-admin/contract/enrollments';
import { SECTION_PLAN } from '@lms-admin/contract/plan-kinds';
import { counted } from '@lms-admin/domain/numbers';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { noSuchPlan, readPlan } from '../plans/store.ts';
import { type PlanServices, requireRole, requireRows } from './plan-checks.ts';
import type { PlanProgress } from './plan-progress.ts';
import { readRequested } from './requested-sections.ts';
import { plainReview, planSections, sectionPeople, type WorkedPlan } from './section-work.ts';

export interface SectionPlans {
  /**
   * Makes a plan and stores it for a day.
   * @throws AppError not-allowed (role, tool), bad-request (a section twice), too-many-rows: all before any call to the
   * LMS; the signal's reason
   */
  make(admin: Admin, request: SectionPlanRequest, id: string, progress: PlanProgress): Promise<WorkedPlan>;
  /**
   * Checks the request before any work, and returns the plan's label.
   * @throws AppError not-allowed, bad-request (a section twice), too-many-rows
   */
  check(admin: Admin, request: SectionPlanRequest): { label: string };
  /** Returns a plan that this admin made. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<SectionPlan>;
  /** Returns the people found for one section of a plan, in the order of entry. @throws like `get` */
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
    const requested = readRequested(request);
    const roles = new Set(requested.map((one) => one.roleId));
    for (const role of roles) requireRole(admin, role, 'section');
    requireRows(
      requested.reduce((rows, one) => rows + one.users.length, 0),
      services.config.maxEnrollmentRows,
    );
    return { requested };
  }

  function check(admin: Admin, request: SectionPlanRequest): { label: string } {
    const { requested } = read(admin, request);
    const people = new Set(requested.flatMap((one) => one.users)).size;
    const sections = new Set(requested.map((one) => one.sectionId)).size;
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
    const { requested } = read(admin, request);
    const work = {
      admin,
      tool: TOOL,
      kind: SECTION_PLAN,
      id,
      requested,
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
