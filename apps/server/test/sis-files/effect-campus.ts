/** Shared parts of the effect tests: a sandbox whose courses are full, and an admin with every tool. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { Campus } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

export let ts: TestServer;
export let campus: Campus;
export let alma: Browser;

/** Opens the sandbox for the tests of one file. */
export function openEffects(): void {
  beforeAll(async () => {
    ts = await startTestServer({ sandbox: { throttle: false } });
    campus = new Campus(ts.sandbox);
    alma = await ts.signIn(PEOPLE.all);
  });
  afterAll(() => ts?.close());
  afterEach(() => campus.clearFaults());
}

export const ENROL = 'course_id,section_id,user_id,role_id,status';
export const USERS = 'user_id,login_id,full_name,status';

export const nameOf = (id = 0) => ts.sandbox.world.users.get(id)?.name;

/** Finds people in sections of a course that a file can name. */
export async function seated(index: number) {
  const { world } = ts.sandbox;
  const found = campus
    .courses(86)
    .filter(({ id }) => [...world.sections.by.course.get(id)].some((section) => section.default_section))
    .at(index);
  if (!found?.sis_source_id) throw new Error('the campus has no such course');
  const course = { id: found.id, sis: found.sis_source_id, name: found.name };
  const nameless = (one: { course_section_id: number }) => {
    const section = world.sections.get(one.course_section_id);
    return section?.sis_source_id === null && !section.default_section;
  };
  const active = (await campus.enrolments(course.id, 3)).filter((one) => !nameless(one));
  const places = active.map((one) => ({
    id: one.user_id,
    sis: campus.person(one.user_id).sis,
    section: world.sections.get(one.course_section_id)?.sis_source_id ?? '',
  }));
  return { course, places };
}

/** Counts the enrolments in a course that are not deleted. */
export const inside = (course: number) =>
  [...ts.sandbox.world.enrollments.values()].filter(
    (one) => one.course_id === course && one.workflow_state !== 'deleted',
  ).length;
