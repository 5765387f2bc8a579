/** Creates the award tool. */
import type { FastifyInstance } from 'fastify';
import type { ActFor } from '../access/acting.ts';
import type { Files } from '../files/files.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { JobKind } from '../jobs/kind.ts';
import type { Audit } from '../platform/audit.ts';
import type { Database } from '../platform/database.ts';
import type { QualtricsClient } from '../qualtrics/client.ts';
import { awardExportKind } from './export-kind.ts';
import { createListImport } from './list-import.ts';
import { addListRoutes } from './list-routes.ts';
import { createLists } from './list-store.ts';
import { createOpening } from './opening.ts';
import { Refresh } from './refresh.ts';
import { refreshKind } from './refresh-kind.ts';
import { createReports } from './reports.ts';
import { addAwardRoutes } from './routes.ts';
import { createSurveys } from './surveys.ts';

export interface AwardParts {
  db: Database;
  audit: Audit;
  files: Files;
  actFor: ActFor;
  qualtrics: QualtricsClient;
  /** Clock, in milliseconds since 1970. */
  now: () => number;
}

/** Returns the tool's kinds of jobs and its routes. */
export function createAward({ db: { db }, audit, files, actFor, qualtrics, now }: AwardParts): {
  kinds: readonly JobKind[];
  addRoutes(app: FastifyInstance, jobs: Jobs): Promise<void>;
} {
  const lists = createLists(db);
  const surveys = createSurveys(db);
  const opening = createOpening(db, audit);
  const reports = createReports({ lists, surveys, qualtrics });
  return {
    kinds: [
      refreshKind({ qualtrics, surveys, opening, actFor }),
      awardExportKind({ reports, files, actFor }),
    ],
    async addRoutes(app, jobs) {
      const refresh = new Refresh({ jobs, surveys, opening, qualtrics, now });
      addAwardRoutes(app, { opening, lists, reports, refresh });
      await addListRoutes(app, lists, createListImport(lists, audit));
    },
  };
}
