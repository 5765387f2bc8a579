/** The export of responses in three calls (Qualtrics reference §4). */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { dispositionOf, makeFile } from '../export/file.ts';
import { exportOptionsIn, type Wanted } from '../export/options.ts';
import { send } from '../http/answers.ts';
import { type Guard, surveyAt } from '../http/calls.ts';
import type { QualtricsContext } from '../http/context.ts';
import { invalid, noExport } from '../http/errors.ts';
import { fileIdOf, idOf } from '../store/ids.ts';
import type { ExportFile, ExportJob, Survey } from '../store/model.ts';
import { WEEK } from '../store/time.ts';

const START = '/surveys/:survey/export-responses';
const SCOPE = 'read:survey_responses';
/** How many files are cached; the others are created again on request. */
const MOST_FILES = 4;

export function exportRoutes(context: QualtricsContext, guard: Guard): FastifyPluginAsync {
  const { store, limits, faults, switches, now } = context;
  const { files } = store;

  /** Finds a current job of this survey; jobs disappear a week after they end. */
  const jobAt = (survey: Survey, found: (job: ExportJob) => boolean): ExportJob => {
    const job = [...store.jobs.values()].find((each) => each.surveyId === survey.id && found(each));
    if (!job || now() >= job.endsAt + WEEK) throw noExport();
    return job;
  };

  const start = (survey: Survey, userId: string, wanted: Wanted): ExportJob => {
    for (const [id, { endsAt }] of store.jobs) if (now() >= endsAt + WEEK) store.jobs.delete(id);
    const { options, allowContinuation, continuationToken } = wanted;
    const since = continuationToken === null ? null : sinceOf(survey, continuationToken);
    const id = idOf('ES', `${survey.id} ${store.nextNumber('job')}`);
    const revision = store.revisionAt(survey, now() - switches.lagMs);
    const job: ExportJob = {
      id,
      surveyId: survey.id,
      userId,
      options,
      revision,
      since,
      startedAt: now(),
      endsAt: now() + switches.exportMs,
      fileId: fileIdOf(id),
      fails: faults.takeOwn() !== null,
      continuationToken: allowContinuation || since !== null ? newToken(survey, revision) : null,
    };
    store.jobs.set(id, job);
    return job;
  };

  const newToken = (survey: Survey, revision: number): string => {
    const token = fileIdOf(`continuation ${store.nextNumber('continuation')}`);
    store.continuations.set(token, { surveyId: survey.id, revision, until: now() + WEEK });
    return token;
  };

  const sinceOf = (survey: Survey, token: string): number => {
    const found = store.continuations.get(token);
    if (found?.surveyId !== survey.id || now() >= found.until)
      throw invalid('Invalid parameter: continuationToken.');
    return found.revision;
  };

  const fileOf = (survey: Survey, job: ExportJob): Promise<ExportFile> => {
    const key = `${job.fileId} ${switches.language}`;
    const known = files.get(key);
    if (known) return known;
    const file = makeFile(survey, store.responsesOf(survey), job, switches.language);
    files.set(key, file);
    for (const old of [...files.keys()].slice(0, -MOST_FILES)) files.delete(old);
    return file;
  };

  return async (app) => {
    app.post(START, guard(SCOPE, 'start'), (request, reply) => {
      const survey = surveyAt(context, request);
      const userId = request.qualtrics?.userId ?? '';
      const wanted = exportOptionsIn(request.body, survey);
      const running = [...store.jobs.values()].filter((job) => job.userId === userId && now() < job.endsAt);
      limits.enterExport(running.length);
      const { id } = start(survey, userId, wanted);
      return send(reply, { progressId: id, percentComplete: 0, status: 'inProgress' });
    });

    app.get(`${START}/:id`, guard(SCOPE, 'progress'), (request, reply) => {
      const id = idIn(request);
      const job = jobAt(surveyAt(context, request), (each) => each.id === id);
      return send(reply, progressOf(job, now()));
    });

    app.get(`${START}/:id/file`, guard(SCOPE, 'file'), async (request, reply): Promise<FastifyReply> => {
      const survey = surveyAt(context, request);
      const id = idIn(request);
      const job = jobAt(survey, (each) => each.fileId === id);
      if (now() < job.endsAt || job.fails) throw noExport();
      const { type, name, bytes } = await fileOf(survey, job);
      return reply.type(type).header('content-disposition', dispositionOf(name)).send(bytes);
    });
  };
}

/** Returns the answer about a job, both while it runs and once it has ended. */
function progressOf(job: ExportJob, now: number): object {
  const { fileId, endsAt, fails, continuationToken } = job;
  if (now < endsAt) return { percentComplete: 0, status: 'inProgress' };
  if (fails) return { percentComplete: 0, status: 'failed' };
  const token = continuationToken === null ? {} : { continuationToken };
  return { fileId, percentComplete: 100, status: 'complete', ...token };
}

function idIn({ params }: FastifyRequest): string {
  return (params as { id: string }).id;
}
