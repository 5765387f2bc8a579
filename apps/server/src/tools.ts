/**
 * The parts that tool folders add to the server. A tool is registered here and nowhere else: its long work as kinds of
 * jobs, its own routes, and its sources for imports.
 */
import type { FastifyInstance } from 'fastify';
import { Administration } from './access/administration.ts';
import { AccessCheck } from './access/check.ts';
import { createReplay } from './access/replay.ts';
import { addAccessRoutes } from './access/routes.ts';
import { createAward } from './awards/award.ts';
import { NameSearch } from './directory/name-search.ts';
import { refreshKind } from './directory/refresh-kind.ts';
import { startDirectoryRounds } from './directory/rounds.ts';
import { addDirectoryRoutes } from './directory/routes.ts';
import { enrolmentRows } from './enrollments/manual-rows.ts';
import { planSource } from './enrollments/plan-import.ts';
import { planKinds } from './enrollments/plan-jobs.ts';
import { createPlans } from './enrollments/plans.ts';
import { addPlanRoutes } from './enrollments/routes.ts';
import { createSectionPlans } from './enrollments/section-plans.ts';
import { createUndo, createUndoPlans } from './enrollments/undo.ts';
import { createGroupPlans } from './groups/group-plans.ts';
import { groupRowSources } from './groups/manual-rows.ts';
import { createMemberPlans } from './groups/member-plans.ts';
import { groupPlanKinds } from './groups/plan-jobs.ts';
import { groupPlanSource } from './groups/plan-source.ts';
import { addGroupRoutes } from './groups/routes.ts';
import { createMemberUndo } from './groups/undo.ts';
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
import { planSources } from './plans/sources.ts';
import { clearSpool } from './platform/zip.ts';
import type { Services } from './services.ts';
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

/** The parts of one tool folder. */
export interface ToolParts {
  /** The tool's long work. A kind that admins start directly gets a route. */
  kinds?: readonly JobKind[];
  /** Kinds of work done within requests that the tool records in the list of jobs. */
  recorded?: readonly ListedKind[];
  /** The tool's own routes, added with `addRoute`. */
  addRoutes?: (app: FastifyInstance, jobs: Jobs) => void | Promise<void>;
  /** Run once the server listens. */
  start?: (jobs: Jobs) => Promise<void>;
  /** Ends the work of `start`, before the database is closed. */
  stop?: () => Promise<void>;
}

/** Returns the parts of all tools. */
export function toolParts(services: Services): ToolParts[] {
  const plans = createPlans(services);
  const sectionPlans = createSectionPlans(services);
  const groups = createGroupPlans(services);
  const members = createMemberPlans(services);
  const memberUndo = createMemberUndo(services);
  return [
    {
      // Reviews of Course Enrollment and Section Enrollment.
      kinds: planKinds({
        plans,
        sectionPlans,
        undo: {
          'course-enrollment': createUndo(services, 'course-enrollment'),
          'section-enrollment': createUndo(services, 'section-enrollment'),
        },
        actFor: services.actFor,
      }),
      addRoutes: (app) => addPlanRoutes(app, plans, sectionPlans, createUndoPlans(services)),
    },
    {
      // Reviews of Group Enrollment.
      kinds: groupPlanKinds({ groups, members, undo: memberUndo, actFor: services.actFor }),
      addRoutes: (app) => addGroupRoutes(app, services, groups, members, memberUndo),
    },
    {
      // Files of SIS Import.
      kinds: [effectKind(services)],
      addRoutes: async (app) => {
        const files = createSisFiles(services);
        await addSisFileRoutes(app, files);
        addSisDraftRoutes(app, files.drafts);
        addEffectRoutes(app, services, files.drafts);
      },
      start: () => clearSpool(services.config.dataFolder, services.db.kind === 'pglite' ? 0 : SPOOL_MS),
    },
    // Course Student Export.
    { kinds: [exportKind(services)] },
    // Course search for Course Student Export, Zoom Creation and Zoom Event Run.
    { addRoutes: (app) => addCourseSearch(app, services) },
    // Best Teaching Award.
    createAward(services),
    {
      // Zoom Creation.
      kinds: [zoomChangeKind(services)],
      addRoutes: (app, jobs) => addZoomRoutes(app, { ...services, jobs }),
    },
    // Access records.
    access(services),
    // Zoom Event Run.
    zoomRun(services),
    images(services),
    directory(services),
    {
      // People lookup for Section Enrollment and Create Users.
      addRoutes: (app) => addPeopleRoutes(app, services),
    },
  ];
}

function access(services: Services): ToolParts {
  const fourEyes = services.config.accessFourEyes;
  const { db } = services.db;
  const check = new AccessCheck(services);
  const replay = createReplay({ ...services, db });
  const administration = new Administration({ ...services, db, fourEyes, replay });
  return { addRoutes: (app) => addAccessRoutes(app, { ...services, db, fourEyes, check, administration }) };
}

/** Creates the parts of images and their links, for the uploaders and for public access. */
function images(services: Services): ToolParts {
  const service = createImages(services);
  return {
    recorded: [uploadKind],
    async addRoutes(app) {
      addImageRoutes(app, service);
      await addImageFiles(app, createReader(services.db.db, services.objects));
    },
    async start() {
      const unknown = await unknownHomes(services.db.db, services.objects);
      for (const line of unknownInWords(unknown, 'start again')) services.log.warn(line);
    },
  };
}

/** Creates the parts of the directory, which is refreshed once a day, with its people and courses. */
function directory(services: Services): ToolParts {
  const names = new NameSearch(services);
  let endRounds: (() => Promise<void>) | null = null;
  return {
    kinds: [refreshKind(services)],
    addRoutes: (app) => addDirectoryRoutes(app, { ...services, names }),
    async start(jobs) {
      await services.directory.tidy();
      if (services.directory.on) endRounds = startDirectoryRounds({ ...services, names }, jobs, services.log);
    },
    async stop() {
      await endRounds?.();
    },
  };
}

/** Creates the parts of Zoom Event Run: its runs, and its daily queue. */
function zoomRun(services: Services): ToolParts {
  const { db, log, grants, identity, scope, files, now } = services;
  const queued = {
    db: db.db,
    log,
    grants,
    identity,
    scope,
    files,
    now,
    periodMs: services.config.zoomQueueMs,
  };
  let rounds: QueueRounds | null = null;
  // A newly added course does not wait for the next scheduled check.
  const queue = new Queue({ ...queued, actFor: services.actFor, added: () => rounds?.look() });
  return {
    kinds: [zoomRunKind(services), zoomRunReviewKind(services)],
    addRoutes: (app, jobs) => addZoomRunRoutes(app, services, { ...queued, jobs }, queue),
    async start(jobs) {
      if (services.zoom.configured) rounds = startQueueRounds({ ...queued, jobs });
    },
    async stop() {
      await rounds?.end();
    },
  };
}

/** Lists the sources of SIS imports: plans, files, and rows entered by hand. */
export function importSources(services: Services): ImportSources {
  return {
    plans: planSources(services.db.db, [planSource(services), groupPlanSource(services)]),
    file: fileSource(services),
    rows: [userRows(services), ...groupRowSources(services), enrolmentRows(services)],
  };
}

/**
 * Age in milliseconds after which a stored upload counts as left behind: with PostgreSQL, another process may still be
 * unpacking it. The embedded database's folder belongs to this process alone.
 */
const SPOOL_MS = 3_600_000;
