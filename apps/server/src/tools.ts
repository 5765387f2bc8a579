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
import { createUndo, createUndoPlans } from './enrollments/undo.ts';
import { createGroupPlans } from './groups/group-plans.ts';
import { groupRowSources } from './groups/hand-made.ts';
import { createMemberPlans } from './groups/member-plans.ts';
import { groupPlanKinds } from './groups/plan-jobs.ts';
import { groupPlanSource } from './groups/plan-source.ts';
import { addGroupRoutes } from './groups/routes.ts';
import { createMemberUndo } from './groups/undo.ts';
import type { House } from './house.ts';
import { createImages } from './images/images.ts';
import { unknownHomes, unknownInWords } from './images/move.ts';
import { createReader } from './images/reader.ts';
import { addImageRoutes } from './images/routes.ts';
import { addImageFiles } from './images/serve.ts';
import { uploadKind } from './images/upload-record.ts';
import type { ImportSources } from './imports/sources.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { JobKind, ListedKind } from './jobs/kind.ts';
import { addCourseSearch } from './lms/find-courses.ts';
import { clearSpool } from './platform/zip.ts';
import { addSisDraftRoutes } from './sis-files/drafts/routes.ts';
import { effectKind } from './sis-files/effect/effect-kind.ts';
import { addEffectRoutes } from './sis-files/effect/effect-routes.ts';
import { fileSource } from './sis-files/file-import.ts';
import { addSisFileRoutes } from './sis-files/routes.ts';
import { createSisFiles } from './sis-files/sis-files.ts';
import { exportKind } from './student-export/export-kind.ts';
import { addPeopleRoutes } from './users/routes.ts';
import { userRows } from './users/user-rows.ts';
import { zoomChangeKind } from './zoom/change-kind.ts';
import { Queue } from './zoom/queue.ts';
import { type QueueRounds, startQueueRounds } from './zoom/queue-rounds.ts';
import { addZoomRoutes } from './zoom/routes.ts';
import { zoomRunKind } from './zoom/run-kind.ts';
import { zoomRunReviewKind } from './zoom/run-review.ts';
import { addZoomRunRoutes } from './zoom/run-routes.ts';

/** What one folder brings. */
export interface ToolParts {
  /** Its long work. One that admins start by themselves gets a route for it. */
  kinds?: readonly JobKind[];
  /** What it does within its requests and records in the list. */
  recorded?: readonly ListedKind[];
  /** Its own routes, by `addRoute`. */
  addRoutes?: (app: FastifyInstance, jobs: Jobs) => void | Promise<void>;
  /** Run once the server listens. */
  start?: (jobs: Jobs) => Promise<void>;
  /** Ends what `start` has begun, before the database is closed. */
  stop?: () => Promise<void>;
}

/** All of them. */
export function toolParts(house: House): ToolParts[] {
  const plans = createPlans(house);
  const sectionPlans = createSectionPlans(house);
  const groups = createGroupPlans(house);
  const members = createMemberPlans(house);
  const memberUndo = createMemberUndo(house);
  return [
    {
      // The reviews of Course Enrollment and of Section Enrollment.
      kinds: planKinds({
        plans,
        sectionPlans,
        undo: {
          'course-enrollment': createUndo(house, 'course-enrollment'),
          'section-enrollment': createUndo(house, 'section-enrollment'),
        },
        actFor: house.actFor,
      }),
      addRoutes: (app) => addPlanRoutes(app, plans, sectionPlans, createUndoPlans(house)),
    },
    {
      // The reviews of Group Enrollment.
      kinds: groupPlanKinds({ groups, members, undo: memberUndo, actFor: house.actFor }),
      addRoutes: (app) => addGroupRoutes(app, groups, members, memberUndo),
    },
    {
      // Files of SIS Import.
      kinds: [effectKind(house)],
      addRoutes: async (app) => {
        const files = createSisFiles(house);
        await addSisFileRoutes(app, files);
        addSisDraftRoutes(app, files.drafts);
        addEffectRoutes(app, house);
      },
      start: () => clearSpool(house.config.dataFolder, house.db.kind === 'pglite' ? 0 : SPOOL_MS),
    },
    // Course Student Export.
    { kinds: [exportKind(house)] },
    // The course that Course Student Export, Zoom Creation and Zoom Event Run ask for.
    { addRoutes: (app) => addCourseSearch(app, house) },
    // Best Teaching Award.
    createAward(house),
    {
      // Zoom Creation.
      kinds: [zoomChangeKind(house)],
      addRoutes: (app, jobs) => addZoomRoutes(app, { ...house, jobs }),
    },
    // Zoom Event Run.
    zoomRun(house),
    images(house),
    {
      // People that Section Enrollment and Create Users look up.
      addRoutes: (app) => addPeopleRoutes(app, house.people),
    },
  ];
}

/** Images and their links, for those who upload them and for everybody. */
function images(house: House): ToolParts {
  const service = createImages(house);
  return {
    recorded: [uploadKind],
    async addRoutes(app) {
      addImageRoutes(app, service);
      await addImageFiles(app, createReader(house.db.db, house.objects));
    },
    async start() {
      const unknown = await unknownHomes(house.db.db, house.objects);
      for (const line of unknownInWords(unknown, 'start again')) house.log.warn(line);
    },
  };
}

/** Zoom Event Run: its runs, and the queue that is worked off. */
function zoomRun(house: House): ToolParts {
  const { db, log, grants, identity, scope, files, now } = house;
  const queued = { db: db.db, log, grants, identity, scope, files, now, periodMs: house.config.zoomQueueMs };
  let rounds: QueueRounds | null = null;
  // Who adds a course need not wait for the next look of the clock.
  const queue = new Queue({ ...queued, actFor: house.actFor, added: () => rounds?.look() });
  return {
    kinds: [zoomRunKind(house), zoomRunReviewKind(house)],
    addRoutes: (app, jobs) => addZoomRunRoutes(app, house, { ...queued, jobs }, queue),
    async start(jobs) {
      if (house.zoom.configured) rounds = startQueueRounds({ ...queued, jobs });
    },
    async stop() {
      await rounds?.end();
    },
  };
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
