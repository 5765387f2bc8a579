import type { Client, Json } from './client.ts';

/** People without special permissions: MBA students. */
const PEOPLE = [2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008];

/** Creates a course with two sections, in which a test enrols its own people. */
export async function newCourse(client: Client, name: string, fields: object = {}) {
  const made = await client.send('POST', '/api/v1/accounts/86/courses', { course: { name }, offer: true });
  const id = Number(made.body['id']);
  const sections: number[] = [];
  for (const section of ['Section A', 'Section B']) {
    const path = `/api/v1/courses/${id}/sections`;
    const { body } = await client.send('POST', path, { course_section: { name: section } });
    sections.push(Number(body['id']));
  }
  if (Object.keys(fields).length > 0) client.world.courses.change(client.world.courses.must(id), fields);
  const [first = 0, second = 0] = sections;
  return { id, first, second };
}

/** Finds the requested number of people with an active login and an SIS ID. */
export function people(client: Client, count: number): number[] {
  const { pseudonyms } = client.world;
  const found = [...pseudonyms.values()].filter(
    ({ user_id, workflow_state, sis_user_id }) =>
      user_id >= Math.min(...PEOPLE) && workflow_state === 'active' && sis_user_id !== null,
  );
  return found.slice(0, count).map(({ user_id }) => user_id);
}

/** Enrols a person through the API, as active unless told otherwise. */
export async function enrol(
  client: Client,
  course: number,
  user_id: number,
  type: string,
  more: object = {},
): Promise<Json> {
  const enrollment = { user_id, type: `${type}Enrollment`, enrollment_state: 'active', ...more };
  return (await client.send('POST', `/api/v1/courses/${course}/enrollments`, { enrollment })).body;
}
