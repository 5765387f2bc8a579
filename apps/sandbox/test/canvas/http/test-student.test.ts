import { describe, expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
import { useSandbox } from './client.ts';

const client = useSandbox();
const { api } = client;

describe('§16 the test student', () => {
  test('§16 is in every section, and left out of people lists unless requested, so a page may be short', async () => {
    const { id, first, second } = await newCourse(client, 'Student view');
    const [one = 0, two = 0] = people(client, 2);
    for (const person of [one, two]) await enrol(client, id, person, 'Student', { course_section_id: first });
    const made = (await api(`/courses/${id}/student_view_student`)).body;
    expect(made).toMatchObject({ name: 'Test Student', sortable_name: 'Student, Test' });
    expect((await api(`/courses/${id}/student_view_student`)).body['id']).toBe(made['id']);
    const list = (query: string) => api(`/courses/${id}/users?per_page=3&${query}`);
    const usual = await list('');
    expect(new Set(usual.body.map((user) => user['id']))).toEqual(new Set([one, two]));
    // The page was full before the test student was filtered out.
    expect(usual.headers.get('link')).toContain('rel="next"');
    const all = (await list('include[]=test_student&include[]=enrollments')).body;
    const shown = all.find((user) => user['id'] === made['id']);
    expect(shown?.['enrollments']).toMatchObject([
      { type: 'StudentViewEnrollment', course_section_id: first, role: 'StudentEnrollment' },
      { type: 'StudentViewEnrollment', course_section_id: second, role: 'StudentEnrollment' },
    ]);
    expect((await list('enrollment_type[]=student_view')).body).toHaveLength(1);
    expect((await api(`/courses/${id}?include[]=total_students`)).body['total_students']).toBe(2);
    expect((await api('/accounts/1/users?search_term=Test Student')).body).toEqual([]);
  });

  test('§16 only those who work on the course can have one', async () => {
    const { id } = await newCourse(client, 'No student view');
    const [student = 0] = people(client, 1);
    await enrol(client, id, student, 'Student');
    expect((await api(`/courses/${id}/student_view_student?as_user_id=${student}`)).status).toBe(403);
  });
});
