/** Routes of Zoom Creation, besides the job for every change (OP-68, OP-101). */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { job } from '@lms-admin/contract/jobs';
import { messages } from '@lms-admin/contract/messages';
import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import { timeZone } from '@lms-admin/contract/time-zone';
import {
  MAX_CO_HOSTS,
  mergeEvents,
  unMergeEvent,
  updateOwner,
  ZOOM_CHANGE,
  type ZoomChange,
  zoomChange,
  zoomEvent,
  zoomOpenChange,
  zoomOwners,
} from '@lms-admin/contract/zoom';
import { zoomPreview } from '@lms-admin/contract/zoom-preview';
import { emailKey, isEmail } from '@lms-admin/domain/emails';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import { adminOf } from '../auth/guard.ts';
import { CanvasError } from '../canvas/types.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { data, file } from '../platform/answers.ts';
import { AppError } from '../platform/errors.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import type { ZoomUser } from '../zoom-api/types.ts';
import { type CalendarEvent, courseOf } from './calendar-event.ts';
import { type ChangeParts, checkChange, TOOL } from './change-check.ts';
import { icsName, icsText } from './ics.ts';
import { readEvent } from './one-event.ts';
import { hostDaysOf } from './open.ts';
import { openChanges } from './open-changes.ts';
import { previewChange } from './preview.ts';
import { changedAt, type TableParts, withRecords } from './table.ts';

export interface RouteParts extends ChangeParts, Omit<TableParts, 'log'> {
  jobs: Jobs;
}

const id = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'a number')
  .transform(Number);

export function addZoomRoutes(app: FastifyInstance, parts: RouteParts): void {
  const zoom = new ZoomRoutes(parts);
  zoom.addReading(app);
  zoom.addPublishing(app);
  zoom.addMerging(app);
  zoom.addCalendarFile(app);
}

class ZoomRoutes {
  readonly #parts: RouteParts;

  constructor(parts: RouteParts) {
    this.#parts = parts;
  }

  addReading(app: FastifyInstance): void {
    const parts = this.#parts;

    /** `GET /api/zoom/schedulers`: people who can own meetings, with the calls left today (ZC-41, OP-104). */
    addRoute(
      app,
      {
        method: 'GET',
        path: ENDPOINTS.zoomSchedulers,
        for: [TOOL],
        takes: 'none',
        answers: data(zoomOwners),
      },
      async (_request, reply) => {
        const { default: standard, owners } = await parts.zoom.owners(goneSignal(reply));
        const left = await hostDaysOf(parts).left([standard, ...owners].map(({ email }) => email));
        const of = ({ email, name }: ZoomUser) => ({ email, name, left: left.get(email.toLowerCase()) ?? 0 });
        return answer({ default: of(standard), owners: owners.map(of) });
      },
    );

    /** `POST /api/zoom/preview`: previews a change. */
    addRoute(
      app,
      {
        method: 'POST',
        path: ENDPOINTS.zoomPreview,
        for: [TOOL],
        takes: { body: zoomChange },
        answers: data(zoomPreview),
      },
      async (request, reply) =>
        answer(await previewChange(parts, adminOf(request), request.body, goneSignal(reply))),
    );

    /** `GET /api/zoom/courses/:course/changes`: running and waiting changes of a course; 404 if out of scope. */
    addRoute(
      app,
      {
        method: 'GET',
        path: ENDPOINTS.zoomOpenChanges,
        for: [TOOL],
        takes: { params: z.object({ course: id }) },
        answers: data(z.array(zoomOpenChange)),
      },
      async (request, reply) =>
        answer(await this.#openChanges(adminOf(request), request.params.course, goneSignal(reply))),
    );
  }

  async #openChanges(admin: Admin, course: number, signal: AbortSignal) {
    const { scope, db, identity } = this.#parts;
    if (!(await scope.course(admin, course, signal))) throw new AppError('not-found');
    const open = await openChanges(db.db, await identity.lastSeen(admin.token), course);
    return open.map(({ job: { id: job, label, login, name, createdAt } }) => ({
      job,
      label,
      admin: name,
      shown: login === admin.login || admin.record.perm === 'ALL',
      created_at: createdAt.toISOString(),
    }));
  }

  addPublishing(app: FastifyInstance): void {
    /**
     * `POST /api/zoom/update_owner`: publishes one event (ZC-36). The other fields of the body are ignored: the server
     * knows their values itself.
     */
    addRoute(
      app,
      {
        method: 'POST',
        path: ENDPOINTS.zoomUpdateOwner,
        for: [TOOL],
        takes: { body: updateOwner },
        answers: data(job),
      },
      async (request, reply) => {
        const { host, coHost, visibility, calendar_event: event } = request.body;
        const course = await this.#courseOfEvent(adminOf(request), event, goneSignal(reply));
        const owner = readOwner(host);
        const co_hosts = coHost == null ? null : readCoHosts(coHost);
        return this.#start(request, goneSignal(reply), {
          change: 'publish',
          course,
          events: [event],
          owner,
          co_hosts,
          visible: visibility,
        });
      },
    );
  }

  addMerging(app: FastifyInstance): void {
    /** `POST /api/zoom/merge_events` (ZC-37). */
    addRoute(
      app,
      {
        method: 'POST',
        path: ENDPOINTS.zoomMerge,
        for: [TOOL],
        takes: { body: mergeEvents },
        answers: data(job),
      },
      async (request, reply) => {
        const { parentEvent: parent, childEvents: events } = request.body;
        const course = await this.#courseOfEvent(adminOf(request), parent, goneSignal(reply));
        return this.#start(request, goneSignal(reply), { change: 'merge', course, parent, events });
      },
    );

    /** `POST /api/zoom/un_merge_event` (ZC-38). */
    addRoute(
      app,
      {
        method: 'POST',
        path: ENDPOINTS.zoomUnmerge,
        for: [TOOL],
        takes: { body: unMergeEvent },
        answers: data(job),
      },
      async (request, reply) => {
        const { event } = request.body;
        const course = await this.#courseOfEvent(adminOf(request), event, goneSignal(reply));
        return this.#start(request, goneSignal(reply), { change: 'unmerge', course, event });
      },
    );
  }

  addCalendarFile(app: FastifyInstance): void {
    /**
     * `GET /api/zoom/courses/:course/events/:event/calendar.ics?time_zone=…`: the time zone is for the date in the
     * file's name. Also 404 if the link leads to no meeting of LMS Admin.
     */
    addRoute(
      app,
      {
        method: 'GET',
        path: ENDPOINTS.zoomIcs,
        for: [TOOL],
        takes: {
          params: z.object({ course: id, event: id }),
          query: z.object({ time_zone: timeZone.optional() }),
        },
        answers: file,
      },
      (request, reply) => {
        const of = { ...request.params, zone: request.query.time_zone ?? null };
        return this.#calendarFile(adminOf(request), of, goneSignal(reply));
      },
    );
  }

  async #calendarFile(
    admin: Admin,
    of: { course: number; event: number; zone: string | null },
    signal: AbortSignal,
  ) {
    const parts = this.#parts;
    const event = await this.#eventInScope(admin, of.event, signal);
    if (courseOf(event) !== of.course) throw new AppError('not-found');
    const [known] = await withRecords(parts, admin, [zoomEvent.parse(event)]);
    if (!known?.ics || event.start_at === null) throw new AppError('not-found');
    const owner = known.zoom_owner;
    // The name is optional: if its request fails, the file is created without it.
    const user = owner === null ? null : await parts.zoom.user(owner, signal).catch(() => null);
    const content = icsText({
      event,
      known,
      host: new URL(parts.config.lms.url).hostname,
      organiser: user?.name ?? owner ?? '',
      changedAt: await changedAt(parts, admin, event, known),
    });
    return { name: icsName(event, of.zone), type: 'text/calendar; charset=utf-8', content: once(content) };
  }

  /** Starts a change as a job. */
  async #start(request: FastifyRequest, signal: AbortSignal, change: ZoomChange) {
    const { scope, identity, jobs } = this.#parts;
    const admin = adminOf(request);
    const { label, course } = await checkChange(this.#parts, admin, change, signal);
    const about = await scope.about(admin, [course]);
    const lms = await identity.lastSeen(admin.token);
    const what = {
      kind: ZOOM_CHANGE,
      tool: TOOL,
      label,
      about,
      key: randomUUID(),
      input: change,
      lms,
    } as const;
    const { id: started } = await jobs.start(admin, { ...what, requestId: request.id });
    return answer(await jobs.read(admin, started));
  }

  async #courseOfEvent(admin: Admin, event: number, signal: AbortSignal): Promise<number> {
    return courseOf(await this.#eventInScope(admin, event, signal)) ?? 0;
  }

  /**
   * Finds an event.
   * @throws AppError not-found, whether the event is unknown, deleted, or outside the administrator's access
   */
  async #eventInScope(admin: Admin, eventId: number, signal: AbortSignal): Promise<CalendarEvent> {
    const { canvas, scope } = this.#parts;
    const event = await readEvent(canvas, eventId, { token: admin.token, signal }).catch((error: unknown) => {
      const hidden = error instanceof CanvasError && (error.kind === 'not-found' || error.kind === 'refused');
      if (hidden) return null;
      throw error;
    });
    const course = event && courseOf(event);
    if (!event || !course || !(await scope.course(admin, course, signal))) throw new AppError('not-found');
    return event;
  }
}

/** @throws AppError bad-request */
function readOwner(text: string): string {
  const owner = emailKey(text);
  if (owner === '') throw refusal(zoomCreationMessages.publish.needOwner);
  if (!isEmail(owner)) throw refusal(messages.chips.invalid(text));
  return owner;
}

/** Reads a comma-separated list. @throws AppError bad-request */
function readCoHosts(text: string): string[] {
  const emails = [...new Set(text.split(/[,;]/).map(emailKey))].filter(Boolean);
  const wrong = emails.find((email) => !isEmail(email));
  if (wrong !== undefined) throw refusal(messages.chips.invalid(wrong));
  if (emails.length > MAX_CO_HOSTS)
    throw refusal(`A meeting can have at most ${MAX_CO_HOSTS} alternative hosts.`);
  return emails;
}

function refusal(message: string): AppError {
  return new AppError('bad-request', { message });
}

async function* once(text: string): AsyncGenerator<string, void, void> {
  yield text;
}
