/** Routes for jobs: start, list, read, cancel and download files. One implementation serves every kind. */
import { isDeepStrictEqual } from 'node:util';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { job, jobDetail, jobItem, jobQuery, jobStart, jobSummary } from '@lms-admin/contract/jobs';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import type { Files } from '../files/files.ts';
import { data, file } from '../platform/answers.ts';
import { AppError } from '../platform/errors.ts';
import { answer } from '../platform/http.ts';
import { unpack } from '../platform/packed.ts';
import { addRoute } from '../platform/route.ts';
import type { Jobs } from './jobs.ts';
import type { JobKind } from './kind.ts';
import { hasToolOf } from './present.ts';
import { isStartable, type StartableKind } from './start.ts';

const params = z.object({ job: z.uuid() });
const pageQuery = z.object({
  page: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'a page number')
    .default('1')
    .transform(Number),
});

interface Parts {
  jobs: Jobs;
  files: Files;
  identity: LmsIdentity;
}

export function addJobRoutes(app: FastifyInstance, parts: Parts, kinds: readonly JobKind[]): void {
  for (const kind of kinds.filter(isStartable)) addStart(app, parts, kind);
  addLists(app, parts.jobs);
  addOne(app, parts.jobs);
  addFile(app, parts);
}

function addLists(app: FastifyInstance, jobs: Jobs): void {
  /** `GET /api/jobs`: the person's own jobs, newest first, 50 per page; `all=1` only with `perm` `ALL` (403). */
  addRoute(
    app,
    {
      method: 'GET',
      path: ENDPOINTS.jobs,
      for: 'signed-in',
      takes: { query: jobQuery },
      answers: data(z.array(job)),
    },
    async (request) => {
      const admin = adminOf(request);
      const { jobs: page, after } = await jobs.list(admin, request.query);
      if (after === null) return answer(page);
      return answer(page, `${ENDPOINTS.jobs}?${new URLSearchParams({ ...request.query, after })}`);
    },
  );

  /** `GET /api/jobs/summary`: work in progress, and work that ended recently. */
  addRoute(
    app,
    {
      method: 'GET',
      path: ENDPOINTS.jobSummary,
      for: 'signed-in',
      takes: 'none',
      answers: data(jobSummary),
    },
    async (request) => answer(await jobs.summary(adminOf(request))),
  );
}

/** Adds the routes of one job: read, cancel, items. */
function addOne(app: FastifyInstance, jobs: Jobs): void {
  /** `GET /api/jobs/:job`: 404 for someone else's, unless `perm` is `ALL`. */
  addRoute(
    app,
    { method: 'GET', path: ENDPOINTS.job, for: 'signed-in', takes: { params }, answers: data(jobDetail) },
    async (request) => answer(await jobs.get(adminOf(request), request.params.job)),
  );

  /**
   * `POST /api/jobs/:job/cancel`: ends the job at its next step. 403 for others' jobs without the tool, 409 if too
   * late.
   */
  addRoute(
    app,
    { method: 'POST', path: ENDPOINTS.jobCancel, for: 'signed-in', takes: { params }, answers: data(job) },
    async (request) => answer(await jobs.cancel(adminOf(request), request.params.job, request.id)),
  );

  /** `GET /api/jobs/:job/items?page=`: the items of a job in order, 100 per page. */
  addRoute(
    app,
    {
      method: 'GET',
      path: ENDPOINTS.jobItems,
      for: 'signed-in',
      takes: { params, query: pageQuery },
      answers: data(z.array(jobItem)),
    },
    async (request) => {
      const { page } = request.query;
      const { items, more } = await jobs.items(adminOf(request), request.params.job, page);
      const path = ENDPOINTS.jobItems.replace(':job', request.params.job);
      return answer(items, more ? `${path}?page=${page + 1}` : null);
    },
  );
}

function addFile(app: FastifyInstance, { jobs, files }: Parts): void {
  /** `GET /api/jobs/:job/files/:file`: downloads a file of the job. 403 without the tool of the job. */
  addRoute(
    app,
    {
      method: 'GET',
      path: ENDPOINTS.jobFile,
      for: 'signed-in',
      takes: { params: params.extend({ file: z.uuid() }) },
      answers: file,
    },
    async (request) => {
      const { job: id, file: fileId } = request.params;
      const admin = adminOf(request);
      // The file names people: access to the job's entry is not enough, nor is former access to the tool.
      if (!hasToolOf(await jobs.read(admin, id), admin)) throw new AppError('not-allowed');
      const found = await files.open(id, fileId);
      if (found) return { ...found.file, content: found.content };
      throw new AppError('not-found', {
        message: 'This file is no longer kept.',
        next: 'Create it again.',
      });
    },
  );
}

/** Returns the value after a round trip through storage. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/**
 * Adds `POST /api/jobs/start/<kind>`, which returns the job. A repeat returns the first one, or 409 if its input
 * differs.
 */
function addStart(app: FastifyInstance, { jobs, identity }: Parts, kind: StartableKind): void {
  const { tool, input, bodyBytes } = kind.start;
  addRoute(
    app,
    {
      method: 'POST',
      path: jobStartPath(kind.id),
      for: [tool],
      takes: { body: jobStart(input) },
      answers: data(job),
      ...(bodyBytes === undefined ? {} : { bodyLimit: bodyBytes }),
    },
    async (request) => {
      const admin = adminOf(request);
      const { key, input: startInput } = request.body;
      // A repeat is answered without asking the LMS, which may be slow because of the first request.
      const earlier = await jobs.earlier(admin, kind.id, key);
      if (earlier) {
        // Once the first input is deleted, it cannot be compared.
        const first = earlier.input === null ? startInput : await unpack(earlier.input);
        if (isDeepStrictEqual(plain(first), plain(startInput)))
          return answer(await jobs.read(admin, earlier.id));
        throw new AppError('conflict', {
          message: 'Different work was already started with this key.',
          next: 'Reload the page and start again.',
        });
      }
      const { label, about = null } = await kind.start.check(admin, startInput);
      const lms = await identity.lastSeen(admin.token);
      const what = { kind: kind.id, tool, label, about, key, input: startInput, lms, requestId: request.id };
      return answer(await jobs.read(admin, (await jobs.start(admin, what)).id));
    },
  );
}
