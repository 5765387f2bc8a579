/** Cross-listing sections by hand (reference §9.4, §10): imports do not move a section placed here. */

import type { FastifyPluginAsync } from 'fastify';
import { paramsOf } from '../../http/params.ts';
import { requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { refused } from '../http/errors.ts';
import { findCourse, findSection } from '../http/find.ts';
import { viewOf } from '../http/view.ts';
import type { Section } from '../store/model.ts';
import { keepsSticky } from '../store/sticky.ts';
import { stick, type World } from '../store/world.ts';
import { sectionJson } from './json/courses.ts';
import { pathParam } from './lists.ts';

export function crossListingRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.post('/sections/:id/crosslist/:new_course_id', (request) => {
      const section = findSection(request, pathParam(request, 'id'));
      const target = findCourse(request, pathParam(request, 'new_course_id'));
      requireRight(request, world.courses.must(section.course_id), 'manage_sections');
      requireRight(request, target, 'manage_sections');
      // With override_sis_stickiness=false the section stays where it is, whether its place is sticky or not.
      if (section.course_id !== target.id && !keepsSticky(paramsOf(request)))
        move(world, section, target.id, section.nonxlist_course_id ?? section.course_id);
      return sectionJson(viewOf(request, target), section);
    });

    app.delete('/sections/:id/crosslist', (request) => {
      const section = findSection(request, pathParam(request, 'id'));
      requireRight(request, world.courses.must(section.course_id), 'manage_sections');
      const home = world.courses.get(section.nonxlist_course_id);
      if (!home) throw refused(400, 'section is not cross-listed');
      requireRight(request, home, 'manage_sections');
      if (!keepsSticky(paramsOf(request))) {
        if (home.workflow_state === 'deleted') world.courses.change(home, { workflow_state: 'claimed' });
        move(world, section, home.id, null);
      }
      return sectionJson(viewOf(request, world.courses.must(section.course_id)), section);
    });
  };
}

function move(world: World, section: Section, courseId: number, nonxlistCourseId: number | null): void {
  world.sections.change(section, world.moveTo(courseId, nonxlistCourseId));
  world.followSection(section);
  stick(section, 'course_id');
}
