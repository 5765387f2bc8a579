/** Routes of the system page, for people with `perm` `ALL` and the flag `system`. Opening it is recorded. */
import { directoryRefreshed, directoryStatus } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  type SystemOverview,
  systemCheck,
  systemClocks,
  systemErrors,
  systemFindings,
  systemKept,
  systemOutside,
  systemOverview,
  systemReleased,
  systemStorage,
  systemSupport,
  systemWork,
} from '@lms-admin/contract/system';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import { adminOf } from '../../auth/guard.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { ListedKind } from '../../jobs/kind.ts';
import { data } from '../../platform/answers.ts';
import { cached } from '../../platform/cached.ts';
import { settingViews } from '../../platform/config-view.ts';
import { answer } from '../../platform/http.ts';
import { troublesOf } from '../../platform/log.ts';
import { RELEASE } from '../../platform/release.ts';
import { addRoute } from '../../platform/route.ts';
import { audit as auditTable } from '../../platform/schema.ts';
import { releaseHeld } from '../held.ts';
import { type CheckParts, createChecks } from './checks.ts';
import { keptOf } from './kept.ts';
import { outsideOf } from './outside.ts';
import { proxyFindings, seenIn } from './seen.ts';
import { storageOf } from './storage.ts';
import { supportText } from './support.ts';
import { clocksOf, workOf } from './work.ts';

export interface SystemParts extends Omit<CheckParts, 'systems'> {
  log: Logger;
  kinds: readonly ListedKind[];
  jobs: Jobs;
  directory: Directory;
  systems: { lms: CheckParts['systems'][number]; others: CheckParts['systems'] };
}

/** Measuring the folder takes a while (milliseconds). */
const STORAGE_MS = 30_000;
const OPENED = 'system-page-opened';

export function addSystemPage(app: FastifyInstance, parts: SystemParts): void {
  const page = createPage(parts);
  const read = { method: 'GET', for: ['system'], takes: 'none' } as const;
  addRoute(app, { ...read, path: ENDPOINTS.system, answers: data(systemOverview) }, async (request) => {
    await page.recordOpening(request);
    return answer(page.overview(request));
  });
  // Each part reveals as much as the page: none is read without an audit record.
  const part = <S extends z.ZodObject>(path: PartPath, schema: S, tell: () => Promise<z.input<S>>) =>
    addRoute(app, { ...read, path, answers: data(schema) }, async (request) => {
      await page.requireRecord(request);
      return answer(await tell());
    });
  part(ENDPOINTS.systemClocks, systemClocks, () => clocksOf(parts.db));
  part(ENDPOINTS.systemWork, systemWork, () => workOf(parts.db));
  part(ENDPOINTS.systemOutside, systemOutside, async () => page.outside());
  part(ENDPOINTS.systemStorage, systemStorage, page.storage);
  part(ENDPOINTS.systemKept, systemKept, () => keptOf(parts.db.db, parts.kinds, parts.config.retention));
  part(ENDPOINTS.systemDirectory, directoryStatus, () => parts.directory.status());
  part(ENDPOINTS.systemErrors, systemErrors, async () => ({ errors: troublesOf(parts.log) }));
  addRoute(
    app,
    {
      ...read,
      path: ENDPOINTS.systemCheck,
      takes: { params: z.object({ check: systemCheck }) },
      answers: data(systemFindings),
    },
    async (request) => {
      await page.requireRecord(request);
      const { check } = request.params;
      return answer(check === 'proxy' ? page.proxy(request) : await page.checks.look(check));
    },
  );
  addRoute(app, { ...read, path: ENDPOINTS.systemSupport, answers: data(systemSupport) }, async (request) => {
    await page.requireRecord(request);
    return answer({ text: await page.support(request) });
  });
  addRoute(
    app,
    {
      method: 'POST',
      for: ['system'],
      takes: 'none',
      path: ENDPOINTS.systemRelease,
      answers: data(systemReleased),
    },
    async (request) =>
      answer(await releaseHeld(parts.db.db, parts.audit, adminOf(request).login, request.id)),
  );
  addRoute(
    app,
    {
      method: 'POST',
      for: ['system'],
      takes: 'none',
      path: ENDPOINTS.systemDirectoryRefresh,
      answers: data(directoryRefreshed),
    },
    async (request) => {
      const { login } = adminOf(request);
      const { id: requestId } = request;
      const event = 'directory-refresh-asked';
      await parts.audit.write({ login, tool: 'operation', event, detail: {}, requestId });
      return answer(await parts.directory.refresh(parts.jobs, { requestId }));
    },
  );
}

type PartPath =
  (typeof ENDPOINTS)[`system${'Clocks' | 'Work' | 'Outside' | 'Storage' | 'Kept' | 'Directory' | 'Errors'}`];

function createPage(parts: SystemParts) {
  const { config, db, log, site, env, systems } = parts;
  const startedAt = Date.now() - Math.round(process.uptime() * 1_000);
  const checks = createChecks({ ...parts, systems: systems.others });
  const storage = cached(STORAGE_MS, () => storageOf(db, config.dataFolder));
  const outside = () => outsideOf([systems.lms, ...systems.others], Date.now());
  const seen = (request: FastifyRequest) => seenIn(request, site.origin);
  const proxy = (request: FastifyRequest) => ({
    at: Date.now(),
    findings: proxyFindings(
      seen(request),
      config.trustedProxies.filter((one) => one !== 'loopback'),
    ),
  });
  const overview = (request: FastifyRequest): SystemOverview => ({
    version: RELEASE,
    node: process.version,
    mode: config.practice ? 'practice' : 'production',
    database: db.kind,
    startedAt,
    seen: seen(request),
  });
  return {
    checks,
    storage,
    outside,
    proxy,
    overview,
    ...openingsIn(parts),
    async support(request: FastifyRequest): Promise<string> {
      const [looked, work, clocks, sizes] = await Promise.all([
        Promise.all(checks.names.map(checks.look)),
        workOf(db),
        clocksOf(db),
        storage(),
      ]);
      const findings = [...proxy(request).findings, ...looked.flatMap((one) => one.findings)];
      const settings = settingViews(env);
      const errors = troublesOf(log);
      const report = { overview: overview(request), outside: outside(), storage: sizes };
      return supportText({ ...report, now: Date.now(), clocks, settings, findings, work, errors }, config);
    },
  };
}

/** Selects the audit lines of people who opened the page. */
function openingsIn({ audit, db }: Pick<SystemParts, 'audit' | 'db'>) {
  const recordOpening = (request: FastifyRequest) =>
    audit.write({
      login: adminOf(request).login,
      tool: 'operation',
      event: OPENED,
      detail: { address: request.ip },
      requestId: request.id,
    });
  return {
    recordOpening,
    /** Requires an audit record of the last hour that this admin opened the page. */
    async requireRecord(request: FastifyRequest): Promise<void> {
      const { login, event, at } = auditTable;
      const [found] = await db.db
        .select({ id: auditTable.id })
        .from(auditTable)
        .where(
          and(eq(login, adminOf(request).login), gt(at, sql`now() - interval '1 hour'`), eq(event, OPENED)),
        )
        .limit(1);
      if (!found) await recordOpening(request);
    },
  };
}
