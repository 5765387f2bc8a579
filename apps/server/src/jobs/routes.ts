/** Jobs over HTTP: started, listed, read, cancelled, their files fetched. Written once for every kind. */
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

/** Adds the routes. */
export function addJobRoutes(app: FastifyInstance, parts: Parts, kinds: readonly JobKind[]): void {
  for (const kind of kinds.filter(isStartable)) addStart(app, parts, kind);
  addLists(app, parts.jobs);
  addOne(app, parts.jobs);
  addFile(app, parts);
}

function addLists(app: FastifyInstance, jobs: Jobs): void {
  /** `GET /api/jobs`: own jobs, newest first, 50 a page; `all=1` only for `perm` `ALL` (403). */
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

  /** `GET /api/jobs/summary`: what goes on, and what has ended lately. */
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

/** One job: read, cancelled, and what it does one by one. */
function addOne(app: FastifyInstance, jobs: Jobs): void {
  /** `GET /api/jobs/:job`: 404 for someone else's, unless `perm` is `ALL`. */
  addRoute(
    app,
    { method: 'GET', path: ENDPOINTS.job, for: 'signed-in', takes: { params }, answers: data(jobDetail) },
    async (request) => answer(await jobs.get(adminOf(request), request.params.job)),
  );

  /** `POST /api/jobs/:job/cancel`: it ends at its next step. 403 for others' without the tool, 409 when it cannot be called back. */
  addRoute(
    app,
    { method: 'POST', path: ENDPOINTS.jobCancel, for: 'signed-in', takes: { params }, answers: data(job) },
    async (request) => answer(await jobs.cancel(adminOf(request), request.params.job, request.id)),
  );

  /** `GET /api/jobs/:job/items?page=`: what it does one by one, 100 a page in their order. */
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
  /** `GET /api/jobs/:job/files/:file`: a file that the job made, to be saved. 403 without the tool of the job. */
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
      // It names people: seeing that there was a job is not enough, nor is having had the tool once.
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

/** As it is after it has been stored. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** `POST /api/jobs/start/<kind>`: the Job; a repeat with the same key answers with the first one, 409 where it asks for something else. */
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
      const { key, input: asked } = request.body;
      // A repeat is answered without a question to the LMS, which may be slow just because of the first one.
      const earlier = await jobs.earlier(admin, kind.id, key);
      if (earlier) {
        // What is forgotten cannot be compared any more.
        const first = earlier.input === null ? asked : await unpack(earlier.input);
        if (isDeepStrictEqual(plain(first), plain(asked))) return answer(await jobs.read(admin, earlier.id));
        throw new AppError('conflict', {
          message: 'Something else was started under this key.',
          next: 'Reload the page and start again.',
        });
      }
      const { label, about = null } = await kind.start.check(admin, asked);
      const lms = await identity.lastSeen(admin.token);
      const what = { kind: kind.id, tool, label, about, key, input: asked, lms, requestId: request.id };
      return answer(await jobs.read(admin, (await jobs.start(admin, what)).id));
    },
  );
}
