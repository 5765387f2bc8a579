/** Integration ids of places that pass from one to another within a file: row by row, as the LMS does it (SIS-06). */
import { expect, test } from 'vitest';
import { alma, campus, openEffects, ts } from './effect-campus.ts';
import { sectioned, sent } from './removals.ts';
import { doing, effectRows } from './support.ts';

openEffects();

type Kind = 'account' | 'term' | 'course' | 'section';

/** Sends a file. @returns the rows announced as failing, and those that the LMS rejected */
async function refused(csv: string, table: Kind) {
  const { id, effect } = await sent(csv);
  const { rows } = await effectRows(alma, id, { table, does: 'fails' });
  const batch = [...ts.sandbox.world.sisBatches.values()].at(-1);
  expect(rows.flatMap(({ problems }) => problems.map(({ column }) => column))).toEqual(
    rows.map(() => 'integration_id'),
  );
  expect(rows.map(({ row }) => row).sort((a, b) => a - b)).toEqual(
    (batch?.errors ?? []).map(({ row }) => row),
  );
  return { fails: rows.length, does: doing(effect, table) };
}

const ORDERS = { right: [0, 1], wrong: [1, 0] };

test.each(Object.entries(ORDERS))(
  'SIS-06: an integration ID passes from one course to another, in the %s order',
  async (name, order) => {
    const { courses } = ts.sandbox.world;
    const [one, other] = (name === 'right' ? [3, 4] : [5, 6]).map((at) => courses.must(campus.course(at).id));
    if (!one || !other) throw new Error('no courses');
    courses.change(one, { integration_id: `IC-${name}` });
    const row = (course: typeof one, integration: string) =>
      `${course.sis_source_id},${integration},${course.course_code},"${course.name}",active`;
    const rows = [row(one, ''), row(other, `IC-${name}`)];
    const { fails } = await refused(
      ['course_id,integration_id,short_name,long_name,status', ...order.map((at) => rows[at])].join('\n'),
      'course',
    );
    expect(fails).toBe(name === 'right' ? 0 : 1);
    expect(other.integration_id).toBe(name === 'right' ? 'IC-right' : null);
    expect(one.integration_id).toBeNull();
  },
);

test.each(Object.entries(ORDERS))(
  'SIS-06: an integration ID passes from one section to another, in the %s order',
  async (name, order) => {
    const { sections } = ts.sandbox.world;
    const [first, second] = sectioned().slice(name === 'right' ? 0 : 2);
    const [one, other] = [first, second].map((each) => sections.must(each?.named[0]?.id ?? 0));
    if (!one || !other || !first || !second) throw new Error('no sections');
    sections.change(one, { integration_id: `IS-${name}` });
    const rows = [
      `${one.sis_source_id},IS-OTHER-${name},${first.course.sis},"${one.name}",active`,
      `${other.sis_source_id},IS-${name},${second.course.sis},"${other.name}",active`,
    ];
    const { fails } = await refused(
      ['section_id,integration_id,course_id,name,status', ...order.map((at) => rows[at])].join('\n'),
      'section',
    );
    expect(fails).toBe(name === 'right' ? 0 : 1);
    expect(other.integration_id).toBe(name === 'right' ? 'IS-right' : null);
    expect(one.integration_id).toBe(`IS-OTHER-${name}`);
  },
);

test('SIS-06: a row rejected for another reason keeps its integration id, and so does a deleted course', async () => {
  const { courses } = ts.sandbox.world;
  const [one, other, gone] = [7, 8, 9].map((at) => courses.must(campus.course(at).id));
  if (!one || !other || !gone) throw new Error('no courses');
  courses.change(one, { integration_id: 'IC-KEPT' });
  courses.change(gone, { integration_id: 'IC-GONE', workflow_state: 'deleted' });
  const row = (course: typeof one, integration: string, account = '') =>
    `${course.sis_source_id},${integration},${account},${course.course_code},"${course.name}",active`;
  const { id } = await sent(
    [
      'course_id,integration_id,account_id,short_name,long_name,status',
      row(one, '', 'NO-ACCOUNT'),
      row(other, 'IC-KEPT'),
      'IC-NEW,IC-GONE,,new,New,active',
    ].join('\n'),
  );
  const rowsOf = async (does: 'unknown' | 'fails') =>
    (await effectRows(alma, id, { table: 'course', does })).rows
      .map(({ row: at }) => at ?? 0)
      .sort((a, b) => a - b);
  const batch = [...ts.sandbox.world.sisBatches.values()].at(-1);
  // Only the LMS knows whether the account was deleted. If so, it would apply the rest of the row.
  expect(await rowsOf('unknown')).toEqual([2]);
  expect(await rowsOf('fails')).toEqual([3, 4]);
  expect((batch?.errors ?? []).map(({ row: at }) => at)).toEqual([2, 3, 4]);
});

test.each(Object.entries(ORDERS))(
  'SIS-06: an integration ID passes between accounts and between terms, in the %s order',
  async (name, order) => {
    const { accounts, terms } = ts.sandbox.world;
    const [, , one, other] = [...accounts.values()].filter(
      (each) => each.sis_source_id !== null && each.parent_account_id === 1,
    );
    const [, , early, late] = [...terms.values()].filter(
      (each) => each.sis_source_id !== null && each.workflow_state === 'active',
    );
    if (!one || !other || !early || !late) throw new Error('not there');
    accounts.change(one, { integration_id: `IA-${name}` });
    accounts.change(other, { integration_id: null });
    terms.change(early, { integration_id: `IT-${name}` });
    terms.change(late, { integration_id: null });
    const accountRows = [
      `${one.sis_source_id},,,"${one.name}",active`,
      `${other.sis_source_id},IA-${name},,"${other.name}",active`,
    ];
    const termRows = [
      `${early.sis_source_id},,"${early.name}",active`,
      `${late.sis_source_id},IT-${name},"${late.name}",active`,
    ];
    const fails = [
      await refused(
        [
          'account_id,integration_id,parent_account_id,name,status',
          ...order.map((at) => accountRows[at]),
        ].join('\n'),
        'account',
      ),
      await refused(
        ['term_id,integration_id,name,status', ...order.map((at) => termRows[at])].join('\n'),
        'term',
      ),
    ].map((each) => each.fails);
    expect(fails).toEqual(name === 'right' ? [0, 0] : [1, 1]);
  },
);
