/**
 * Every row that the LMS rejects, or applies only in part, is announced before anything is sent, with its
 * column (SIS-06).
 */

import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { describe, expect, test } from 'vitest';
import { alma, campus, openEffects, ts } from './effect-campus.ts';
import { doing, draftOf, effectRows, problemsOf, reviewed, rowsOfDraft, upload } from './support.ts';

openEffects();

/** Lists the rows about which the LMS has a message when it gets the file unchanged. */
async function refusedByLms(csv: string): Promise<number[]> {
  const auth = { authorization: 'Bearer sandbox-admin-token' };
  const path = `${ts.sandbox.url}/api/v1/accounts/1/sis_imports`;
  const started = await fetch(`${path}?override_sis_stickiness=true`, {
    method: 'POST',
    headers: { ...auth, 'content-type': 'text/csv' },
    body: csv,
  });
  const { id } = (await started.json()) as { id: number };
  for (;;) {
    const one = (await (await fetch(`${path}/${id}`, { headers: auth })).json()) as {
      workflow_state: string;
    };
    if (/^(imported|failed)/.test(one.workflow_state)) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const errors = await (await fetch(`${path}/${id}/errors?per_page=100`, { headers: auth })).json();
  const rows = (errors as { sis_import_errors: { row: number }[] }).sis_import_errors.map(({ row }) => row);
  return [...new Set(rows)].sort((a, b) => a - b);
}

/** Reads account rows with this text in the review. */
const accountRows = async (file: string, does: 'deletes' | 'fails') =>
  (await effectRows(alma, file, { table: 'account', does })).rows.map(({ row }) => row);

const LONG = 'x'.repeat(256);

describe('because of the row alone', () => {
  test.each<[string, string, [number, string][]]>([
    [
      'users',
      [
        'user_id,login_id,full_name,short_name,email,status',
        `RU-1,${'l'.repeat(101)},A,,,active`,
        `RU-2,ru2@x.example,${LONG},,,active`,
        `RU-3,ru3@x.example,A,${LONG},,active`,
        `${LONG},ru4@x.example,A,,,active`,
        'RU-5,ru5@x.example,A,,nobody@,active',
        'RU-6,ru6@x.example,A,,,gone',
      ].join('\n'),
      [
        [2, 'login_id'],
        [3, 'full_name'],
        [4, 'short_name'],
        [5, 'user_id'],
        [6, 'email'],
        [7, 'status'],
      ],
    ],
    [
      'courses',
      [
        'course_id,short_name,long_name,start_date,course_format,grade_passback_setting,status',
        'RC-1,,A,,,,active',
        'RC-2,A,,,,,active',
        'RC-3,A,B,12/31/2026,,,active',
        'RC-4,A,B,,distance,,active',
        'RC-5,A,B,,,weekly,active',
        `RC-6,A,${LONG},,,,active`,
        'RC-7,A,B,,,,open',
      ].join('\n'),
      [
        [2, 'short_name'],
        [3, 'long_name'],
        [4, 'start_date'],
        [5, 'course_format'],
        [6, 'grade_passback_setting'],
        [7, 'long_name'],
        [8, 'status'],
      ],
    ],
    [
      'terms',
      [
        'term_id,name,start_date,date_override_enrollment_type,status',
        'RT-1,,,,active',
        `RT-2,${LONG},,,active`,
        'RT-3,A,45000,,active',
        'RT-4,A,,Students,active',
        'RT-5,A,,,open',
      ].join('\n'),
      [
        [2, 'name'],
        [3, 'name'],
        [4, 'start_date'],
        [5, 'date_override_enrollment_type'],
        [6, 'status'],
      ],
    ],
    [
      'changed ids',
      ['type,old_id,new_id', 'person,A,B', 'course,,B', 'course,A,'].join('\n'),
      [
        [2, 'type'],
        [3, 'old_id'],
        [4, 'new_id'],
      ],
    ],
    [
      'observers',
      ['observer_id,student_id,status', 'A,A,active', ',B,active', 'A,B,activated'].join('\n'),
      [
        [2, 'observer_id'],
        [3, 'observer_id'],
        [4, 'status'],
      ],
    ],
  ])('SIS-06: %s', async (_name, csv, expected) => {
    const told = problemsOf(await upload(alma, csv)).map(([row, column]) => [row, column]);
    expect(told).toEqual(expected);
    expect(await refusedByLms(csv)).toEqual(expected.map(([row]) => row));
  });

  test('SIS-06: rows for sections, enrolments, groups and their people are announced as rejected', async () => {
    const { sis } = campus.course(3);
    const [one] = campus.strangers(1, []);
    for (const csv of [
      `section_id,course_id,name,end_date,status\nRS-1,${sis},${LONG},,active\nRS-2,${sis},A,soon,active\nRS-3,${sis},,,active`,
      `course_id,user_id,role_id,start_date,status\n${sis},${one?.sis},3,12/31/2026,active\n${sis},${one?.sis},3,,here`,
      `group_id,course_id,name,status\nRG-1,${sis},${LONG},available\nRG-2,${sis},A,active`,
      `group_category_id,course_id,category_name,status\nRK-1,${sis},${LONG},active\nRK-2,${sis},,active`,
    ]) {
      const told = problemsOf(await upload(alma, csv)).map(([row]) => row);
      expect(told).toEqual(await refusedByLms(csv));
      expect(told).not.toEqual([]);
    }
  });
});

/** Lists the rows that would fail according to the review: row and columns. */
async function told(csv: string, kind: Parameters<typeof doing>[1]) {
  const { id, effect } = await reviewed(alma, csv);
  const { rows } = await effectRows(alma, id, { table: kind, does: 'fails' });
  for (const { problems } of rows) for (const { message } of problems) expect(message).not.toBe('');
  return { id, effect, rows: rows.map(({ row, problems }) => [row, problems.map(({ column }) => column)]) };
}

describe('because of the LMS’s data', () => {
  test("SIS-06: a row with another person's integration ID or login is announced as rejected", async () => {
    const [ann, bob] = campus.strangers(2, []);
    const { pseudonyms } = ts.sandbox.world;
    const login = pseudonyms.by.sis.get(ann?.sis ?? '');
    if (!login) throw new Error('nobody');
    pseudonyms.change(login, { integration_id: 'INT-ANN' });
    const header = 'user_id,integration_id,login_id,full_name,status';
    const own = `${header}\n${ann?.sis},INT-ANN,${ann?.email},Ann,active`;
    expect((await told(own, 'user')).rows).toEqual([]);
    const made = `${header}\nRI-1,INT-ANN,ri1@x.example,New,active`;
    expect((await told(made, 'user')).rows).toEqual([[2, ['integration_id']]]);
    expect(await refusedByLms(made)).toEqual([2]);
    const users = [
      header,
      `${bob?.sis},INT-ANN,${bob?.email},Bob,active`,
      'RI-2,INT-NEW,ri2@x.example,New,active',
    ].join('\n');
    expect((await told(users, 'user')).rows).toEqual([[2, ['integration_id']]]);
    expect(await refusedByLms(users)).toEqual([2]);

    const logins = [
      'user_id,login_id,integration_id,existing_user_id',
      `RI-3,${bob?.email},,${ann?.sis}`,
      `${bob?.sis},ri4@x.example,,${ann?.sis}`,
      'RI-5,ri5@x.example,,NOBODY-5',
      `RI-6,ri6@x.example,INT-ANN,${bob?.sis}`,
      `RI-7,ri7@x.example,,${ann?.sis}`,
    ].join('\n');
    expect((await told(logins, 'login')).rows).toEqual([
      [2, ['login_id']],
      [3, ['user_id']],
      [4, ['existing_user_id']],
      [5, ['integration_id']],
    ]);
    expect(await refusedByLms(logins)).toEqual([2, 3, 4, 5]);
  });

  test('SIS-06: an observer of an unknown person, and a person who would observe themselves, are announced as rejected', async () => {
    const { sis } = campus.course(6);
    const [ann, bob] = campus.strangers(2, []);
    const rows = [
      'course_id,user_id,role,associated_user_id,status',
      `${sis},${ann?.sis},observer,NOBODY-1,active`,
      `${sis},${ann?.sis},observer,${ann?.sis},active`,
      `${sis},${ann?.sis},observer,${bob?.sis},active`,
    ].join('\n');
    const { id } = await reviewed(alma, rows);
    const fails = (await effectRows(alma, id, { table: 'enrollment', does: 'fails' })).rows;
    expect(fails.map(({ row }) => row)).toEqual([2, 3]);
    expect(await refusedByLms(rows)).toEqual([2, 3]);
  });

  test('SIS-06: a row with the integration ID of another course or section is announced as rejected', async () => {
    const { courses, sections } = ts.sandbox.world;
    const [one, other] = [campus.course(4), campus.course(5)];
    courses.change(courses.must(one.id), { integration_id: 'INT-C' });
    const [section] = sections.by.course.get(one.id);
    if (!section) throw new Error('no section');
    sections.change(section, { integration_id: 'INT-S' });
    const file = `course_id,integration_id,short_name,long_name,status\n${other.sis},INT-C,a,b,active`;
    expect((await told(file, 'course')).rows).toEqual([[2, ['integration_id']]]);
    expect(await refusedByLms(file)).toEqual([2]);
    const rows = `section_id,integration_id,course_id,name,status\nRI-S,INT-S,${other.sis},a,active`;
    expect((await told(rows, 'section')).rows).toEqual([[2, ['integration_id']]]);
    expect(await refusedByLms(rows)).toEqual([2]);
  });

  test('SIS-06: earlier rows that move or create something decide whether an account is empty', async () => {
    const { accounts } = ts.sandbox.world;
    const header = 'account_id,parent_account_id,name,status';
    await refusedByLms([header, 'RM-1,,Above,active', 'RM-2,RM-1,Below,active'].join('\n'));
    // If the contents move out first, the LMS deletes the account, and this is announced and counted.
    const empties = [header, 'RM-2,,,', 'RM-1,,Above,deleted'].join('\n');
    const { id, effect } = await reviewed(alma, empties);
    expect(await accountRows(id, 'deletes')).toEqual([3]);
    expect(effect.brake.takes).toEqual([{ kind: 'account', count: 1 }]);
    // If something is moved or created below the account first, the LMS rejects the row.
    for (const above of ['RM-1,,Above,deleted', 'RM-1,RM-3,Above,active']) {
      const fills = [header, 'RM-3,RM-1,New,active', above].join('\n');
      expect(await accountRows((await reviewed(alma, fills)).id, 'fails')).toEqual([3]);
      expect(await refusedByLms(fills)).toEqual([3]);
    }
    expect(await refusedByLms([header, 'RM-3,,,', 'RM-2,,,', 'RM-1,,Above,deleted'].join('\n'))).toEqual([]);
    expect(accounts.by.sis.get('RM-1')?.workflow_state).toBe('deleted');
  });

  test('SIS-06: an account that contains a sub-account without an SIS ID is not empty', async () => {
    const { accounts } = ts.sandbox.world;
    await refusedByLms('account_id,parent_account_id,name,status\nRM-4,,A,active\nRM-5,RM-4,B,active');
    const below = accounts.by.sis.get('RM-5');
    if (!below) throw new Error('no account');
    accounts.change(below, { sis_source_id: null });
    const csv = 'account_id,parent_account_id,name,status\nRM-4,,A,deleted';
    const { id } = await reviewed(alma, csv);
    expect(await accountRows(id, 'fails')).toEqual([2]);
    expect(await refusedByLms(csv)).toEqual([2]);
  });

  test('SIS-06: rows that delete terms or accounts that are not empty are announced as rejected', async () => {
    const { terms, accounts, courses } = ts.sandbox.world;
    const used = [...terms.values()].find(
      (one) => one.sis_source_id && !one.default_term && courses.by.term.get(one.id).length > 0,
    );
    const free = 'term_id,name,status\nFREE-T,Free,active';
    expect(await refusedByLms(free)).toEqual([]);
    const file = `term_id,name,status\n${used?.sis_source_id},x,deleted\nFREE-T,Free,deleted`;
    const { rows, effect } = await told(file, 'term');
    expect(rows).toEqual([[2, ['status']]]);
    expect(doing(effect, 'term')).toEqual({ fails: 1, deletes: 1 });
    expect(await refusedByLms(file)).toEqual([2]);

    const full = accounts.must(86);
    const made = 'account_id,parent_account_id,name,status\nRA-1,,One,active\nRA-2,RA-1,Two,active';
    expect(await refusedByLms(made)).toEqual([]);
    if (!full.sis_source_id) accounts.change(full, { sis_source_id: 'RA-86' });
    const tree = [
      'account_id,parent_account_id,name,status',
      `${full.sis_source_id},,x,deleted`,
      'RA-1,,One,deleted',
      'RA-1,RA-2,One,active',
      'RA-3,NO-ACCOUNT,x,active',
      'RA-4,,x,',
    ];
    for (const row of tree.slice(1)) {
      const csv = `${tree[0]}\n${row}`;
      expect([row, (await told(csv, 'account')).rows.map(([at]) => at)]).toEqual([row, [2]]);
      expect([row, await refusedByLms(csv)]).toEqual([row, [2]]);
    }
  });

  test('SIS-06: a change of an unknown ID, or to one in use, is announced as rejected', async () => {
    const [ann, bob] = campus.strangers(2, []);
    const [one, other] = [campus.course(6), campus.course(7)];
    const csv = [
      'type,old_id,new_id',
      'user,NOBODY-9,NEW-9',
      `user,${ann?.sis},${bob?.sis}`,
      `course,${one.sis},${other.sis}`,
      'section,NO-SECTION,S-9',
      'account,NO-ACCOUNT,A-9',
      'term,NO-TERM,T-9',
      'group,NO-GROUP,G-9',
      'group_category,NO-CATEGORY,K-9',
      `course,${one.sis},RENAMED-1`,
      'course,RENAMED-1,RENAMED-2',
    ].join('\n');
    const { rows, effect } = await told(csv, 'change_sis_id');
    expect(rows).toEqual([
      [2, ['old_id']],
      [3, ['new_id']],
      [4, ['new_id']],
      [5, ['old_id']],
      [6, ['old_id']],
      [7, ['old_id']],
      [8, ['old_id']],
      [9, ['old_id']],
    ]);
    expect(doing(effect, 'change_sis_id')).toEqual({ fails: 8, changes: 2 });
    expect(await refusedByLms(csv)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('SIS-06: the default term cannot be deleted, and each integration ID belongs to one term', async () => {
    const { terms } = ts.sandbox.world;
    const standard = ts.sandbox.world.defaultTerm;
    terms.change(standard, {
      sis_source_id: standard.sis_source_id ?? 'RF-DEFAULT',
      integration_id: 'RF-TERM',
    });
    const csv = [
      'term_id,name,integration_id,status',
      `${standard.sis_source_id},Default,,deleted`,
      'RF-T1,Another term,RF-TERM,active',
    ].join('\n');
    expect((await told(csv, 'term')).rows).toEqual([
      [2, ['status']],
      [3, ['integration_id']],
    ]);
    expect(await refusedByLms(csv)).toEqual([2, 3]);
  });

  test('SIS-06: rows for group categories, groups and people outside their course are announced as rejected', async () => {
    const [here, there] = [campus.course(8), campus.course(9)];
    const inside = (await campus.enrolments(here.id, 3)).map((one) => campus.person(one.user_id));
    const [stranger] = campus.strangers(1, [here.id]);
    const categories = `group_category_id,course_id,category_name,status\nRF-K,${here.sis},Teams,active\nRF-L,${there.sis},Teams,active`;
    const groups = 'group_id,group_category_id,name,status\nRF-G,RF-K,Team 1,available';
    const members = `group_id,user_id,status\nRF-G,${inside[0]?.sis},accepted`;
    for (const csv of [categories, groups, members]) expect(await refusedByLms(csv)).toEqual([]);

    for (const [kind, csv, expected] of [
      [
        'group_category',
        [
          'group_category_id,account_id,course_id,category_name,status',
          `RF-M,,${here.sis},Teams,active`,
          'RF-N,NO-ACCOUNT,,Other,active',
          `RF-K,,${there.sis},Moved,active`,
          `RF-O,,${here.sis},Others,active`,
        ].join('\n'),
        [
          [2, ['category_name']],
          [3, ['account_id']],
          [4, ['course_id']],
        ],
      ],
      [
        'group',
        [
          'group_id,group_category_id,course_id,name,status',
          'RF-H,NO-CATEGORY,,x,available',
          `RF-I,RF-L,${here.sis},x,available`,
          'RF-G,RF-L,,Team 1,available',
          'RF-J,,NO-COURSE,x,available',
        ].join('\n'),
        [
          [2, ['group_category_id']],
          [3, ['group_category_id']],
          [4, ['group_category_id']],
          [5, ['course_id']],
        ],
      ],
      [
        'group_membership',
        [
          'group_id,user_id,status',
          `RF-G,${stranger?.sis},accepted`,
          `RF-G,${stranger?.sis},deleted`,
          'RF-G,NOBODY-8,accepted',
          'NO-GROUP,NOBODY-8,accepted',
          `RF-G,${inside[1]?.sis},accepted`,
        ].join('\n'),
        [
          [2, ['user_id']],
          [3, ['user_id']],
          [4, ['user_id']],
          [5, ['group_id', 'user_id']],
        ],
      ],
    ] as const) {
      expect((await told(csv, kind)).rows).toEqual(expected);
      expect(await refusedByLms(csv)).toEqual(expected.map(([row]) => row));
    }
  });

  test('SIS-06: all mistakes in a row are marked during correction', async () => {
    const csv = `group_id,user_id,status\nNO-GROUP,NOBODY-8,accepted`;
    const { id } = await told(csv, 'group_membership');
    const response = await alma.post(ENDPOINTS.sisEffectDraft.replace(':file', id), {});
    const { draft } = (await response.json()).data;
    expect((await draftOf(alma, draft)).wrong).toBe(1);
    const { rows } = await rowsOfDraft(alma, draft);
    expect(rows[0]?.problems.map(({ column }) => column)).toEqual([0, 1]);
  });
});
