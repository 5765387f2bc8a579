/**
 * What the folders of the tools bring to the back end. A tool is plugged in here and nowhere else: its long work as kinds
 * of jobs, its routes beside those that every job has, and what of it can be imported.
 */
import type { FastifyInstance } from 'fastify';
import { createAward } from './awards/award.ts';
import { enrolmentRows } from './enrollments/hand-made.ts';
import { planSource } from './enrollments/plan-import.ts';
import { planKinds } from './enrollments/plan-jobs.ts';
import { createPlans } from './enrollments/plans.ts';
import { addPlanRoutes } from './enrollments/routes.ts';
import { createSectionPlans } from './enrollments/section-plans.ts';
import { createGroupPlans } from './groups/group-plans.ts';
import { groupRowSources } from './groups/hand-made.ts';
import { createMemberPlans } from './groups/member-plans.ts';
import { groupPlanKinds } from './groups/plan-jobs.ts';
import { groupPlanSource } from './groups/plan-source.ts';
import { addGroupRoutes } from './groups/routes.ts';
import type { House } from './house.ts';
import type { ImportSources } from './imports/sources.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { JobKind } from './jobs/kind.ts';
import { fileSource } from './sis-files/file-import.ts';
import { addSisFileRoutes } from './sis-files/routes.ts';
import { createSisFiles } from './sis-files/sis-files.ts';
import { clearSpool } from './sis-files/zip.ts';
import { exportKind } from './student-export/export-kind.ts';
import { addPeopleRoutes } from './users/routes.ts';
import { userRows } from './users/user-rows.ts';

/** What one folder brings. */
export interface ToolParts {
  /** Its long work. One that admins start by themselves gets a route for it. */
  kinds?: readonly JobKind[];
  /** Its own routes, by `addRoute`. */
  addRoutes?: (app: FastifyInstance, jobs: Jobs) => void | Promise<void>;
  /** Run once the server listens. */
  start?: () => Promise<void>;
}

/** All of them. */
export function toolParts(house: House): ToolParts[] {
  const plans = createPlans(house);
  const sectionPlans = createSectionPlans(house);
  const groups = createGroupPlans(house);
  const members = createMemberPlans(house);
  return [
    {
      // The reviews of Course Enrollment and of Section Enrollment.
      kinds: planKinds({ plans, sectionPlans, actFor: house.actFor }),
      addRoutes: (app) => addPlanRoutes(app, plans, sectionPlans),
    },
    {
      // The reviews of Group Enrollment.
      kinds: groupPlanKinds({ groups, members, actFor: house.actFor }),
      addRoutes: (app) => addGroupRoutes(app, groups, members),
    },
    {
      // Files of SIS Import.
      addRoutes: (app) => addSisFileRoutes(app, createSisFiles(house)),
      start: () => clearSpool(house.config.dataFolder, house.db.kind === 'pglite' ? 0 : SPOOL_MS),
    },
    // Course Student Export.
    { kinds: [exportKind(house)] },
    // Best Teaching Award.
    createAward(house),
    {
      // People that Section Enrollment and Create Users look up.
      addRoutes: (app) => addPeopleRoutes(app, house.people),
    },
  ];
}

/** What becomes a SIS import: plans, files, and rows made by hand. */
export function importSources(house: House): ImportSources {
  return {
    plans: [planSource(house), groupPlanSource(house)],
    file: fileSource(house),
    rows: [userRows(house), ...groupRowSources(house), enrolmentRows(house)],
  };
}

/**
 * Age in milliseconds from which a laid down upload counts as left behind, where another process beside the same PostgreSQL
 * may be unpacking one. The embedded database's folder is ours alone.
 */
const SPOOL_MS = 3_600_000;
