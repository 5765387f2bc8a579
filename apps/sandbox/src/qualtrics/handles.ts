/**
 * Endpoints of the practice Qualtrics for tests and demonstrations: exports, limits, adding and deleting
 * responses, the award list. `/sandbox/qualtrics…` belongs to the sandbox, not to Qualtrics.
 */

import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { z } from 'zod';
import { QUALTRICS_LIMITS } from '../config.ts';
import { STATUS_WORDS } from './export/columns.ts';
import type { QualtricsContext } from './http/context.ts';
import { recordResponse } from './pages/record.ts';
import { AWARD_LIST } from './seed/award-list.ts';
import { SURVEYS } from './seed/surveys.ts';
import type { ResponseStatus } from './store/model.ts';
import { isoTime } from './store/time.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const count = z.int().min(0);

/** What `PUT /sandbox/qualtrics` accepts. Missing settings stay unchanged; missing limits are reset to the defaults. */
const settings = z.strictObject({
  limits: z
    .union([
      z.literal(false),
      z.strictObject({
        perMinute: z
          .strictObject({
            all: count.optional(),
            start: count.optional(),
            progress: count.optional(),
            file: count.optional(),
          })
          .optional(),
        exportsAtOnce: count.optional(),
      }),
    ])
    .optional(),
  exportMs: count.optional(),
  lagMs: count.optional(),
  language: z.enum(['EN', 'DE']).optional(),
  elsewhere: z.boolean().optional(),
});

const newResponse = z.strictObject({
  status: z
    .int()
    .refine((status): status is ResponseStatus => status in STATUS_WORDS)
    .optional(),
  channel: z.string().optional(),
  reference: z.string().optional(),
  email: z.string().optional(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  finished: z.boolean().optional(),
  recordedDate: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .nullable()
    .optional(),
  answers: z.record(z.string(), z.union([z.int(), z.string()])).optional(),
  embedded: z.record(z.string(), z.string()).optional(),
});

export function handleRoutes(context: QualtricsContext): FastifyPluginAsync {
  const { store, limits, switches, now } = context;
  const state = () => ({
    limits: limits.plan,
    ...switches,
    running: [...store.jobs.values()].filter(({ endsAt }) => now() < endsAt).length,
    exports: [...store.jobs.values()].map(({ id, surveyId, startedAt, options }) => ({
      id,
      surveyId,
      startedAt: isoTime(startedAt),
      format: options.format,
    })),
  });

  return async (app) => {
    app.get('/sandbox/qualtrics', state);

    app.put('/sandbox/qualtrics', (request, reply) => {
      const read = settings.safeParse(request.body);
      if (!read.success) return refuse(reply, z.prettifyError(read.error));
      const { limits: plan, ...rest } = read.data;
      if (plan !== undefined) {
        const perMinute = plan === false ? {} : plan.perMinute;
        limits.plan = plan && {
          ...QUALTRICS_LIMITS,
          ...plan,
          perMinute: { ...QUALTRICS_LIMITS.perMinute, ...perMinute },
        };
        limits.clear();
      }
      Object.assign(switches, rest);
      return state();
    });

    app.get('/sandbox/qualtrics/award-list', () => listOf());

    app.get('/sandbox/qualtrics/award-list.xlsx', async (_request, reply) => {
      const rows = listOf();
      const names = Object.keys(rows[0] ?? {});
      const sheet = [names, ...rows.map((row) => Object.values(row))];
      // Loaded only here, because it takes longer to load than the rest of Qualtrics.
      const { default: writeExcelFile } = await import('write-excel-file/node');
      const bytes = await writeExcelFile(
        sheet.map((cells) => cells.map((value) => ({ value }))),
        { sheet: 'Award list' },
      ).toBuffer();
      return reply
        .type(XLSX)
        .header('content-disposition', 'attachment; filename="award-list.xlsx"')
        .send(bytes);
    });

    app.post<{ Params: { survey: string } }>(
      '/sandbox/qualtrics/surveys/:survey/responses',
      (request, reply) => {
        const survey = store.survey(request.params.survey);
        if (!survey)
          return refuse(reply, `There is no such survey. Known: ${SURVEYS.map(({ id }) => id).join(', ')}.`);
        const read = newResponse.safeParse(request.body ?? {});
        if (!read.success) return refuse(reply, z.prettifyError(read.error));
        const { recordedDate: recorded, ...rest } = read.data;
        const { id } = recordResponse(context, survey, {
          ...rest,
          ...(recorded === undefined ? {} : { recorded }),
        });
        return reply.code(201).send({ responseId: id });
      },
    );

    app.delete<{ Params: { id: string } }>('/sandbox/qualtrics/responses/:id', (request, reply) => {
      const { id } = request.params;
      return store.remove(id) ? { removed: id } : refuse(reply, 'There is no such response.');
    });
  };
}

/** Returns the award list as the office would upload it. */
function listOf() {
  return AWARD_LIST.map(({ campus, course, courseId, enrolled, professorId, professor, type }) => ({
    Campus: campus,
    Course: course,
    'Course ID': courseId,
    Enrolled: enrolled,
    'Prof ID': professorId,
    Professor: professor,
    Type: type,
  }));
}

function refuse(reply: FastifyReply, error: string): FastifyReply {
  return reply.code(400).send({ error });
}
