/** Sections (reference §6.7, §6.8). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, isTrue, nested, type Params, paramsOf, text } from '../../http/params.ts';
import { hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, checkDates, forbidden, invalid, notFound, refused } from '../http/errors.ts';
import { findCourse, findSection } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { type View, viewOf } from '../http/view.ts';
import { LIVE } from '../store/enrollment-rules.ts';
import type { Course, Enrollment, Section } from '../store/model.ts';
import { changeByHand, STICKY } from '../store/sticky.ts';
import type { World } from '../store/world.ts';
import { mayRead } from './courses.ts';
import { sectionJson } from './json/courses.ts';
import { enrollmentJson } from './json/enrollments.ts';
import { avatarUrl, userOf } from './json/users.ts';
import { compareNames, includesOf, pathParam, searchTermOf } from './lists.ts';

const NO_SIS_RIGHT = 'You must have manage_sis permission to update sis attributes';

export function sectionRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/courses/:course_id/sections', (request, reply) => {
      const course = findCourse(request, pathParam(request, 'course_id'));
      if (!mayRead(request, course)) throw forbidden();
      const params = paramsOf(request);
      const term = searchTermOf(params);
      const sections = world.sections.by.course
        .get(course.id)
        .filter((section) => section.workflow_state === 'active')
        .filter((section) => term === null || section.name.toLowerCase().includes(term))
        .sort((a, b) => compareNames(a.name, b.name) || a.id - b.id);
      // Any value of `all` lists all sections, even "false".
      const shown = text(params, 'all') ? sections : paginate(request, reply, sections);
      const view = viewOf(request, course);
      // People who may not see the roster get the sections alone.
      const includes = hasRight(request, course, 'read_roster') ? includesOf(request) : new Set<string>();
      const mayPlan = hasRight(request, course, 'manage_calendar');
      return shown.map((section) => withIncludes(view, section, includes, mayPlan));
    });

    app.post('/courses/:course_id/sections', (request) => {
      const course = findCourse(request, pathParam(request, 'course_id'));
      requireRight(request, course, 'manage_sections');
      const params = paramsOf(request);
      const fields = nested(params, 'course_section') ?? {};
      const sis = text(fields, 'sis_section_id');
      const mayManageSis = hasRight(request, course, 'manage_sis');
      const holder = world.sections.by.sis.get(sis);
      if (
        sis &&
        mayManageSis &&
        holder?.workflow_state === 'deleted' &&
        holder.course_id === course.id &&
        isTrue(params['enable_sis_reactivation'])
      ) {
        // A deleted section is restored with its own name and dates: those in the request are for a new section.
        world.sections.change(holder, {
          workflow_state: 'active',
          integration_id: text(fields, 'integration_id') || null,
        });
        return sectionJson(viewOf(request, course), holder);
      }
      if (sis && mayManageSis && holder) throw sisIdInUse(sis);
      const integration = mayManageSis ? text(fields, 'integration_id') || null : null;
      if (integration && world.sections.by.integration.get(integration))
        throw integrationIdInUse(integration);
      const [start, end] = [dateOf(fields, 'start_at'), dateOf(fields, 'end_at')];
      checkDates('end_at', start, end);
      const section = world.sections.add({
        course_id: course.id,
        // Only the default section has the name of its course.
        name: checkedName(text(fields, 'name') ?? `${course.name} ${world.now().slice(0, 10)}`),
        workflow_state: 'active',
        default_section: false,
        sis_source_id: mayManageSis ? sis || null : null,
        integration_id: integration,
        start_at: start,
        end_at: end,
        restrict_enrollments_to_section_dates: flag(fields, 'restrict_enrollments_to_section_dates'),
        nonxlist_course_id: null,
        sis_batch_id: null,
        stuck_sis_fields: null,
      });
      return sectionJson(viewOf(request, course), section);
    });

    for (const path of ['/sections/:id', '/courses/:course_id/sections/:id']) {
      app.get(path, (request) => {
        const section = sectionOf(request);
        const course = world.courses.must(section.course_id);
        if (!mayRead(request, course)) throw forbidden();
        const mayPlan = hasRight(request, course, 'manage_calendar');
        return withIncludes(viewOf(request, course), section, includesOf(request), mayPlan);
      });
    }

    app.put('/sections/:id', (request) => {
      const section = findSection(request, pathParam(request, 'id'));
      const course = world.courses.must(section.course_id);
      requireRight(request, course, 'manage_sections');
      const params = paramsOf(request);
      const fields = nested(params, 'course_section');
      if (fields) {
        const sticky = params['override_sis_stickiness'];
        write(request, world, course, section, fields, sticky === undefined || isTrue(sticky));
      }
      return sectionJson(viewOf(request, course), section);
    });

    app.delete('/sections/:id', (request) => {
      const section = findSection(request, pathParam(request, 'id'));
      const course = world.courses.must(section.course_id);
      requireRight(request, course, 'manage_sections');
      const live = world.enrollments.by.section
        .get(section.id)
        .some(
          ({ workflow_state, type }) =>
            workflow_state !== 'deleted' && workflow_state !== 'rejected' && type !== 'StudentViewEnrollment',
        );
      if (live) throw new ApiError(400, { message: "You can't delete a section that has enrollments" });
      world.sections.change(section, { workflow_state: 'deleted' });
      return sectionJson(viewOf(request, course), section);
    });
  };
}

function sectionOf(request: FastifyRequest): Section {
  const section = findSection(request, pathParam(request, 'id'));
  const inCourse = pathParam(request, 'course_id');
  if (inCourse !== '' && findCourse(request, inCourse).id !== section.course_id) {
    throw notFound();
  }
  return section;
}

/**
 * Writes the fields of a section that a person can change (§6.8). Without `all`, only the restriction is written.
 * @throws ApiError 401 without permission for SIS IDs, 400 if another section has the SIS ID.
 */
function write(
  request: FastifyRequest,
  world: World,
  course: Course,
  section: Section,
  fields: Params,
  all: boolean,
): void {
  const patch: Partial<Section> = {};
  if ('restrict_enrollments_to_section_dates' in fields) {
    patch.restrict_enrollments_to_section_dates = flag(fields, 'restrict_enrollments_to_section_dates');
  }
  if (all) {
    // Null is ignored; only an empty text removes an ID.
    const [sis, integration] = [text(fields, 'sis_section_id'), text(fields, 'integration_id')];
    if (sis !== null || integration !== null) {
      if (!hasRight(request, course, 'manage_sis')) throw refused(401, NO_SIS_RIGHT);
    }
    if (sis !== null) {
      const holder = world.sections.by.sis.get(sis);
      if (sis !== '' && holder && holder !== section) throw sisIdInUse(sis);
      patch.sis_source_id = sis || null;
    }
    if (integration !== null) {
      const holder = world.sections.by.integration.get(integration);
      if (integration !== '' && holder && holder !== section) throw integrationIdInUse(integration);
      patch.integration_id = integration || null;
    }
    if ('name' in fields) patch.name = checkedName(text(fields, 'name')?.trim() ?? '');
    if ('start_at' in fields) patch.start_at = dateOf(fields, 'start_at');
    if ('end_at' in fields) patch.end_at = dateOf(fields, 'end_at');
    const { start_at, end_at } = { ...section, ...patch };
    checkDates('end_at', start_at, end_at);
  }
  changeByHand(world.sections, section, patch, STICKY.section);
}

/** @throws ApiError 400 */
function checkedName(name: string): string {
  if (name === '') throw invalid('name', 'is too short', 'too_short');
  if (name.length > 255) throw invalid('name', 'is too long (maximum is 255 characters)', 'too_long');
  return name;
}

function sisIdInUse(sis: string): ApiError {
  return invalid('sis_source_id', `SIS ID "${sis}" is already in use`);
}

function integrationIdInUse(id: string): ApiError {
  // Canvas's own spelling.
  return invalid('integration_id', `INTEGRATRION ID "${id}" is already in use`);
}

function dateOf(fields: Params, name: string): string | null {
  const ms = Date.parse(text(fields, name) ?? '');
  return Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** @param mayPlan whether the caller can manage the calendar of the section */
function withIncludes(
  view: View,
  section: Section,
  includes: ReadonlySet<string>,
  mayPlan: boolean,
): Record<string, unknown> {
  const json = sectionJson(view, section);
  const { world } = view;
  const students = world.enrollments.by.section
    .get(section.id)
    .filter((e) => e.type === 'StudentEnrollment' && e.workflow_state !== 'deleted');
  if (includes.has('total_students')) {
    const current = students.filter((e) => LIVE.has(e.workflow_state));
    json['total_students'] = new Set(current.map((e) => e.user_id)).size;
  }
  if (includes.has('students')) {
    // One entry for each enrolment, whatever its state; null without enrolments.
    const shown = [...students].sort((a, b) => a.id - b.id).map((e) => studentJson(view, e, includes));
    json['students'] = shown.length > 0 ? shown : null;
  }
  if (includes.has('passback_status')) json['passback_status'] = null;
  if (includes.has('permissions')) json['permissions'] = { manage_calendar: mayPlan };
  return json;
}

function studentJson(view: View, enrollment: Enrollment, includes: ReadonlySet<string>): object {
  const user = view.world.users.must(enrollment.user_id);
  return {
    ...userOf(view, user),
    ...(includes.has('avatar_url') ? { avatar_url: avatarUrl(view, user) } : {}),
    ...(includes.has('enrollments') ? { enrollments: [enrollmentJson(view, enrollment)] } : {}),
  };
}
