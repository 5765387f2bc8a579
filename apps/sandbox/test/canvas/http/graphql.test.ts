import { beforeAll, describe, expect, test } from 'vitest';
import { enrol, newCourse, people } from './campus.ts';
import { form, type Json, useSandbox } from './client.ts';

const client = useSandbox();
const post = (path: string, json: unknown) => client.send('POST', `/api/v1${path}`, json);

let course = { id: 0, first: 0, second: 0 };
let [teacher, one, two] = [0, 0, 0];
let category = 0;
const groups: number[] = [];

beforeAll(async () => {
  course = await newCourse(client, 'Asked in one');
  [teacher = 0, one = 0, two = 0] = people(client, 3);
  await enrol(client, course.id, teacher, 'Teacher');
  await enrol(client, course.id, one, 'Student', { course_section_id: course.first });
  await enrol(client, course.id, two, 'Student', { course_section_id: course.second });
  const set = await post(`/courses/${course.id}/group_categories`, { name: 'Teams' });
  category = Number(set.body['id']);
  for (const name of ['One', 'Two', 'Three']) {
    const { body } = await post(`/group_categories/${category}/groups`, { name });
    groups.push(Number(body['id']));
  }
  await post(`/groups/${groups[0]}/memberships`, { user_id: one });
});

const ask = async (query: string, variables: object = {}, as?: number): Promise<Json> =>
  (
    await client.send('POST', `/api/graphql${as === undefined ? '' : `?as_user_id=${as}`}`, {
      query,
      variables,
    })
  ).body;
const courseFor = async (fields: string, as?: number): Promise<Json> =>
  (await ask(`query ($id: ID!) { course(id: $id) { ${fields} } }`, { id: course.id }, as))['data']?.[
    'course'
  ] as Json;

describe('§17.2 GraphQL', () => {
  test('§17.2 one query reads a course with its group sets, groups, members, sections and enrolments', async () => {
    const found = await courseFor(`
      _id name state
      groupSetsConnection { nodes { _id name selfSignup groupsConnection { nodes {
        _id name membersConnection { nodes { state user { _id name } } }
      } } } }
      sectionsConnection { nodes { _id name userCount } }
      enrollmentsConnection(filter: { types: [StudentEnrollment], states: [active] }) {
        nodes { type state user { _id loginId } section { name } }
      }
    `);
    expect(found).toMatchObject({
      _id: String(course.id),
      name: 'Asked in one',
      state: 'available',
      groupSetsConnection: {
        nodes: [
          {
            _id: String(category),
            selfSignup: 'disabled',
            groupsConnection: {
              nodes: [
                {
                  name: 'One',
                  membersConnection: { nodes: [{ state: 'accepted', user: { _id: String(one) } }] },
                },
                { name: 'Three', membersConnection: { nodes: [] } },
                { name: 'Two' },
              ],
            },
          },
        ],
      },
      enrollmentsConnection: {
        nodes: [
          { type: 'StudentEnrollment', user: { _id: String(one) }, section: { name: 'Section A' } },
          { type: 'StudentEnrollment', user: { _id: String(two) }, section: { name: 'Section B' } },
        ],
      },
    });
    const sections = found['sectionsConnection']?.['nodes'] ?? [];
    expect(sections).toContainEqual({ _id: String(course.first), name: 'Section A', userCount: 1 });
  });

  test('§17.2 pages continue after a cursor', async () => {
    const names: unknown[] = [];
    let after: unknown = null;
    for (let page = 0; page < 5; page++) {
      const answer = await ask(
        `query ($id: ID!, $after: String) { groupSet(id: $id) {
          groupsConnection(first: 2, after: $after) { edges { node { name } } pageInfo { hasNextPage endCursor } }
        } }`,
        { id: category, after },
      );
      const groupsHere = answer['data']?.['groupSet']?.['groupsConnection'];
      for (const edge of groupsHere?.['edges'] ?? []) names.push(edge['node']?.['name']);
      if (String(groupsHere?.['pageInfo']?.['hasNextPage']) !== 'true') break;
      after = groupsHere?.['pageInfo']?.['endCursor'];
    }
    expect(names).toEqual(['One', 'Three', 'Two']);
  });

  test('§17.2 fields follow the permissions of the REST calls: forbidden ones are null', async () => {
    const fields = `sisId
      groupSetsConnection { nodes { _id } }
      usersConnection { nodes { _id loginId email sisId } }
      enrollmentsConnection { nodes { userId lastActivityAt } }`;
    const seen = await courseFor(fields, one);
    expect(seen).toMatchObject({ sisId: null, groupSetsConnection: null });
    const others = (seen['usersConnection']?.['nodes'] ?? []).filter(
      (user) => String(user['_id']) !== String(one),
    );
    expect(others.length).toBeGreaterThan(0);
    for (const user of others) expect(user).toMatchObject({ loginId: null, email: null, sisId: null });
    const taught = await courseFor(fields, teacher);
    expect(taught['groupSetsConnection']?.['nodes']).toHaveLength(1);
    for (const user of taught['usersConnection']?.['nodes'] ?? [])
      expect(user).toMatchObject({ loginId: expect.any(String), sisId: expect.any(String) });
    const [stranger] = people(client, 10).slice(-1);
    expect(await courseFor('_id', stranger)).toBeNull();
  });

  test('§17.2 objects are found by SIS ID, by GraphQL id, and by type and number', async () => {
    const bySis = await ask('{ course(sisId: "MBA25-FBL-FIN101-A") { _id id sisId } }');
    const { id } = bySis['data']?.['course'] ?? ({} as Json);
    expect(bySis['data']?.['course']).toMatchObject({ _id: '1001', sisId: 'MBA25-FBL-FIN101-A' });
    expect(String(id)).toBe(Buffer.from('Course-1001').toString('base64'));
    const byNode = await ask(`{ node(id: "${id}") { id ... on Course { _id term { name } } } }`);
    expect(byNode['data']?.['node']).toMatchObject({ _id: '1001' });
    const legacy = await ask(`{ legacyNode(_id: "${one}", type: User) { ... on User { _id } } }`);
    expect(legacy['data']?.['legacyNode']).toEqual({ _id: String(one) });
    const account = await ask(
      '{ account(id: 1) { name subAccountsConnection(first: 1) { nodes { _id } } } }',
    );
    expect(account['data']?.['account']).toMatchObject({ subAccountsConnection: { nodes: [{}] } });
    expect((await ask('{ course(id: 1, sisId: "X") { _id } }'))['errors']?.[0]).toMatchObject({
      message: 'Must specify exactly one of id or sisId',
    });
  });

  test('§17.2 errors in a query have status 200; a query without a token is a 401', async () => {
    const wrong = await client.send('POST', '/api/graphql', { query: '{ course(id: 1) { nothing } }' });
    expect([wrong.status, wrong.body['errors']?.length]).toEqual([200, 1]);
    const asForm = await client.ask('/api/graphql', {
      ...form({ query: 'query ($id: ID!) { course(id: $id) { _id } }', variables: '{"id": 1001}' }),
    });
    expect(asForm.body['data']).toEqual({ course: { _id: '1001' } });
    const stranger = await client.ask('/api/graphql', { ...form({ query: '{ __typename }' }), token: null });
    expect(stranger.status).toBe(401);
    const { body } = await client.send('POST', '/api/graphql', { query: 'mutation { x }' });
    expect(body['errors']).toHaveLength(1);
  });
});
