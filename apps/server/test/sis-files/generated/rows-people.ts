/** Rows for users, logins, observers and changed SIS IDs. */
import type { GeneratedRow, GeneratedTable } from './file.ts';
import { type Choices, row, SPOILED_IDS, type Stage } from './stage.ts';

type Make = (stage: Stage) => GeneratedRow;

const named = (stage: Stage): Record<string, string> => {
  const [first = '', ...rest] = stage.name().split(' ');
  const texts = { full_name: stage.name(), first_name: first, last_name: rest.join(' ') };
  return {
    ...(stage.chance.chance(0.6) ? { full_name: texts.full_name } : {}),
    ...(stage.chance.chance(0.4) ? { first_name: texts.first_name, last_name: texts.last_name } : {}),
    ...(stage.chance.chance(0.3) ? { sortable_name: stage.name() } : {}),
    ...(stage.chance.chance(0.4) ? { short_name: stage.name() } : {}),
    ...(stage.chance.chance(0.3) ? { email: `${stage.fresh('mail').toLowerCase()}@x.example` } : {}),
    ...(stage.chance.chance(0.2)
      ? { pronouns: stage.chance.pick(['she/her', 'they/them', '<delete>']) }
      : {}),
  };
};

/** Describes an existing person, by both of their ids. */
function there(stage: Stage, status = 'active'): Record<string, string> {
  const { sis_user_id, unique_id } = stage.person();
  return { user_id: sis_user_id ?? '', login_id: unique_id, status: stage.word(status) };
}

function newPerson(stage: Stage, status = 'active'): Record<string, string> {
  const id = stage.fresh('PERSON');
  if (status !== 'deleted') stage.ahead.user.push(id);
  return { user_id: id, login_id: `${id.toLowerCase()}@x.example`, status: stage.word(status) };
}

/** Describes a person by the SIS ID that the same upload gives them. */
function renamed(stage: Stage): Record<string, string> {
  const { renamed: all, chance } = stage;
  if (all.length === 0) return there(stage);
  const { id, login } = chance.pick(all);
  return { user_id: id, login_id: login, status: chance.pick(['active', 'active', 'deleted', 'suspended']) };
}

/** Describes a deleted login of a person who has another one, with the name by which the LMS finds them. */
function hidden(stage: Stage): Record<string, string> {
  if (stage.hidden.length === 0) return there(stage);
  const { sis_user_id, unique_id, user_id } = stage.chance.pick(stage.hidden);
  const full_name = stage.world.users.must(user_id).name;
  const status = stage.chance.pick(['active', 'active', 'suspended', 'deleted']);
  return { user_id: sis_user_id ?? '', login_id: unique_id, full_name, status };
}

/** Describes a member of an account's group, which no list of the person's groups shows. */
function clubMember(stage: Stage): Record<string, string> {
  const { groups, groupMemberships } = stage.world;
  const members = [...groupMemberships.values()].filter(
    (one) => one.workflow_state === 'accepted' && groups.must(one.group_id).context_type === 'Account',
  );
  const logins = members.flatMap(({ user_id }) => loginsWithId(stage, user_id));
  if (logins.length === 0) return there(stage, 'deleted');
  const { sis_user_id, unique_id } = stage.chance.pick(logins);
  return { user_id: sis_user_id ?? '', login_id: unique_id, status: stage.word('deleted') };
}

const swappedCase = (text: string): string =>
  text.replace(/[a-z]/, (letter) => letter.toUpperCase()) === text
    ? text.toLowerCase()
    : text.replace(/[a-z]/, (letter) => letter.toUpperCase());

/** Describes a person without an SIS ID, found by their login. */
function claimed(stage: Stage): Record<string, string> {
  if (stage.nameless.length === 0) return there(stage);
  const { unique_id } = stage.chance.pick(stage.nameless);
  const login_id = stage.chance.chance(0.3) ? swappedCase(unique_id) : unique_id;
  const status = stage.chance.pick(['active', 'suspended']);
  return { user_id: stage.fresh('PERSON'), login_id, status: stage.word(status) };
}

const USERS: Choices<Make> = [
  [4, (stage) => row({ ...claimed(stage), ...named(stage) })],
  [22, (stage) => row({ ...there(stage), ...named(stage) })],
  [8, (stage) => row(there(stage))],
  [12, (stage) => row({ ...newPerson(stage), ...named(stage) })],
  [3, (stage) => row({ ...newPerson(stage, 'suspended'), ...named(stage) })],
  [
    8,
    (stage) => ((cells) => row({ ...cells, login_id: swappedCase(cells['login_id'] ?? '') }))(there(stage)),
  ],
  [5, (stage) => row({ ...there(stage), login_id: `${stage.fresh('other').toLowerCase()}@x.example` })],
  [8, (stage) => row({ ...there(stage, 'suspended'), ...named(stage) })],
  [14, (stage) => row(there(stage, 'deleted'))],
  [5, (stage) => row(clubMember(stage))],
  [6, (stage) => row({ ...renamed(stage), ...named(stage) })],
  [4, (stage) => row(hidden(stage))],
  [4, (stage) => row({ ...newPerson(stage, 'deleted'), ...named(stage) })],
  [3, (stage) => row({ ...there(stage, 'deleted'), ...named(stage) })],
  [4, (stage) => row({ ...there(stage), integration_id: stage.fresh('INT') })],
  [2, (stage) => row({ ...there(stage), integration_id: '<delete>' })],
  [
    2,
    (stage) =>
      row({ ...there(stage), declared_user_type: stage.chance.pick(['student', 'staff', '<delete>']) }),
  ],
  [
    4,
    (stage) =>
      row(
        { ...there(stage), integration_id: stage.person().integration_id ?? '' },
        'an integration_id of somebody else',
      ),
  ],
  [4, (stage) => row({ ...there(stage), login_id: stage.person().unique_id }, 'a login of somebody else')],
  [
    3,
    (stage) =>
      row({ ...there(stage, 'deleted'), login_id: stage.person().unique_id }, 'a login of somebody else'),
  ],
  [
    3,
    (stage) => row({ ...newPerson(stage), login_id: stage.person().unique_id }, 'a login of somebody else'),
  ],
  [
    2,
    (stage) =>
      row(
        { ...there(stage, 'deleted'), login_id: `${stage.fresh('nobody')}@x.example` },
        'a login that nobody has',
      ),
  ],
  [2, (stage) => row({ ...there(stage), full_name: 'x'.repeat(256) }, 'a name of 256 characters')],
  [
    2,
    (stage) =>
      row({ ...newPerson(stage), login_id: `${'y'.repeat(101)}@x.example` }, 'a login that is too long'),
  ],
  [2, (stage) => row({ ...newPerson(stage), login_id: 'with a blank@x.example' }, 'a blank in the login')],
  [2, (stage) => row({ ...there(stage), email: 'not an address' }, 'no address')],
  [2, (stage) => row({ ...there(stage), full_name: '#N/A' }, 'a value of a spreadsheet')],
  [
    2,
    (stage) =>
      row(
        { ...newPerson(stage), user_id: stage.chance.pick(SPOILED_IDS) },
        'an id that a spreadsheet changed',
      ),
  ],
  [2, (stage) => row({ ...newPerson(stage), status: 'avtive', login_id: 'a b' }, 'two mistakes')],
];

/** Lists every login of a person who has several, each in its own row. */
function bothLogins(stage: Stage): GeneratedRow[] {
  const several = stage.people.filter(({ user_id }) => loginsWithId(stage, user_id).length > 1);
  if (several.length === 0) return [];
  const { user_id } = stage.chance.pick(several);
  const states = stage.chance.chance(0.5) ? ['deleted'] : ['active', 'suspended', 'deleted'];
  return loginsWithId(stage, user_id).map(({ sis_user_id, unique_id }) =>
    row({
      user_id: sis_user_id ?? '',
      login_id: unique_id,
      status: stage.chance.pick(states),
      ...(stage.chance.chance(0.3) ? { full_name: stage.name(), short_name: stage.name() } : {}),
    }),
  );
}

const loginsWithId = (stage: Stage, person: number) =>
  stage.world.loginsOf(person).filter(({ sis_user_id }) => sis_user_id !== null);

export function users(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(USERS)(stage), 5, 'mistake');
  if (stage.chance.chance(0.5)) rows.push(...bothLogins(stage));
  const columns = stage.columns(
    rows,
    ['user_id', 'login_id', 'status'],
    [
      'full_name',
      'first_name',
      'last_name',
      'sortable_name',
      'short_name',
      'email',
      'integration_id',
      'pronouns',
      'declared_user_type',
    ],
  );
  const once = onceEach(rows, ['user_id', 'login_id']);
  stage.leaving.user.push(...deleting(once, 'user_id'));
  return { kind: 'user', columns, rows: once };
}

/** Lists the ids deleted by rows without mistakes. */
export const deleting = (rows: readonly GeneratedRow[], column: string): string[] =>
  rows.flatMap(({ cells, mistake }) =>
    mistake === null && /^deleted$/i.test(cells['status'] ?? '') ? (cells[column] ?? []) : [],
  );

/** Marks rows that repeat an id as a mistake, in tables in which an id can appear only once. */
export function onceEach(rows: readonly GeneratedRow[], columns: readonly string[]): GeneratedRow[] {
  const seen = new Set<string>();
  return rows.map(({ cells, mistake }) => {
    const names = columns.map((column) => `${column} ${(cells[column] ?? '').toLowerCase()}`);
    const repeated = names.some((name) => seen.has(name));
    for (const name of names) seen.add(name);
    return { cells, mistake: mistake ?? (repeated ? 'an id that an earlier row has' : null) };
  });
}

const newLogin = (stage: Stage): Record<string, string> => {
  const id = stage.fresh('PERSON');
  const existing_user_id = stage.personId();
  // Rows of later tables can name them by either id.
  stage.ahead.user.push(id);
  return { user_id: id, login_id: `${id.toLowerCase()}@login.example`, existing_user_id, status: 'active' };
};

const LOGINS: Choices<Make> = [
  [
    2,
    (stage) => {
      const one = stage.person();
      return row({ ...newLogin(stage), existing_user_id: '', existing_canvas_user_id: String(one.user_id) });
    },
  ],
  [
    2,
    (stage) => {
      const one = stage.person();
      return row(
        { ...newLogin(stage), existing_user_id: '', existing_integration_id: one.integration_id ?? 'NO-INT' },
        'perhaps nobody',
      );
    },
  ],
  [10, (stage) => row(newLogin(stage))],
  [2, (stage) => row({ ...newLogin(stage), email: `${stage.fresh('mail')}@x.example` })],
  [2, (stage) => row({ ...newLogin(stage), login_id: stage.person().unique_id }, 'a login that is taken')],
  [
    2,
    (stage) =>
      row({ ...newLogin(stage), user_id: stage.person().sis_user_id ?? '' }, 'an SIS ID that is taken'),
  ],
  [2, (stage) => row({ ...newLogin(stage), existing_user_id: 'NOBODY' }, 'nobody who exists')],
  [
    1,
    (stage) =>
      row(
        { ...newLogin(stage), integration_id: stage.person().integration_id ?? '' },
        'an integration_id of somebody else',
      ),
  ],
];

export function logins(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(LOGINS)(stage), 3, 'mistake');
  const columns = stage.columns(
    rows,
    ['user_id', 'login_id', 'existing_user_id', 'status'],
    ['email', 'integration_id', 'existing_canvas_user_id', 'existing_integration_id'],
  );
  // A row that names its person in one of these columns would otherwise name no one.
  const needed = ['existing_canvas_user_id', 'existing_integration_id'].filter(
    (column) => !columns.includes(column) && rows.some(({ cells }) => cells[column]),
  );
  return {
    kind: 'login',
    columns: [...columns, ...needed],
    rows: onceEach(rows, ['login_id', 'user_id']),
  };
}

const OBSERVERS: Choices<Make> = [
  [
    6,
    (stage) =>
      row(
        { observer_id: stage.personId(), student_id: stage.personId(), status: 'active' },
        'perhaps oneself',
      ),
  ],
  [5, (stage) => linked(stage, 'deleted')],
  [3, (stage) => linked(stage, 'active')],
  [
    1,
    (stage) =>
      row(
        { observer_id: stage.personId(), student_id: stage.personId(), status: 'deleted' },
        'perhaps no observer',
      ),
  ],
  [
    1,
    (stage) =>
      row({ observer_id: 'NOBODY', student_id: stage.personId(), status: 'active' }, 'nobody who exists'),
  ],
  [
    1,
    (stage) =>
      row({ observer_id: stage.personId(), student_id: stage.personId(), status: 'activexyz' }, 'no status'),
  ],
];

function linked(stage: Stage, status: string): GeneratedRow {
  const links = [...stage.world.userObservers.values()].filter((one) => one.workflow_state === 'active');
  const link = links.length > 0 ? stage.chance.pick(links) : undefined;
  const sis = (id = 0) =>
    stage.world.loginsOf(id).find((one) => one.sis_user_id !== null)?.sis_user_id ?? 'NOBODY';
  return row(
    { observer_id: sis(link?.observer_id), student_id: sis(link?.user_id), status },
    'perhaps no observer',
  );
}

export function observers(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(OBSERVERS)(stage), 3, 'fine');
  return { kind: 'user_observer', columns: ['observer_id', 'student_id', 'status'], rows };
}

/** Creates a row that changes an ID. Rows of later tables use the new one. */
function changed(
  type: string,
  from: string | null | undefined,
  stage: Stage,
  ahead: string[] = [],
): GeneratedRow {
  const id = stage.fresh(type.toUpperCase());
  if (from) ahead.push(id);
  return row({ type, old_id: from ?? 'NOTHING', new_id: id }, from ? null : 'an id that nothing has');
}

function changedPerson(stage: Stage): GeneratedRow {
  const { sis_user_id, unique_id } = stage.person();
  const made = changed('user', sis_user_id, stage, stage.ahead.user);
  stage.renamed.push({ id: made.cells['new_id'] ?? '', login: unique_id });
  return made;
}

const CHANGES: Choices<Make> = [
  [4, changedPerson],
  [3, (stage) => changed('course', stage.course().sis_source_id, stage, stage.ahead.course)],
  [3, (stage) => changed('section', stage.section()?.sis_source_id, stage, stage.ahead.section)],
  [1, (stage) => changed(stage.word('group'), stage.groups().at(-1)?.sis_source_id, stage)],
  [1, (stage) => changed('group_category', stage.categories().at(-1)?.sis_source_id, stage)],
  [
    1,
    (stage) =>
      changed(
        'term',
        stage.chance.pick([...stage.world.terms.values()].filter((one) => one.sis_source_id !== null))
          .sis_source_id,
        stage,
      ),
  ],
  [
    2,
    (stage) =>
      row(
        { type: 'user', old_id: stage.ahead.user.at(-1) ?? 'NOBODY', new_id: stage.fresh('USER') },
        'perhaps a chain',
      ),
  ],
  [
    1,
    (stage) => row({ type: 'user', old_id: 'NOBODY', new_id: stage.fresh('USER') }, 'an id that nothing has'),
  ],
  [
    1,
    (stage) =>
      row(
        { type: 'user', old_id: stage.person().sis_user_id ?? '', new_id: stage.person().sis_user_id ?? '' },
        'a new id that is taken',
      ),
  ],
  [
    1,
    (stage) =>
      row(
        { type: 'person', old_id: stage.person().sis_user_id ?? '', new_id: stage.fresh('USER') },
        'no type',
      ),
  ],
];

export function changedIds(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(CHANGES)(stage), 3, 'mistake');
  if (stage.chance.chance(0.25)) rows.push(...swap(stage));
  return { kind: 'change_sis_id', columns: ['type', 'old_id', 'new_id'], rows: onceEach(rows, ['old_id']) };
}

/** Creates rows in which two people, courses or sections swap their ids by way of a third. */
function swap(stage: Stage): GeneratedRow[] {
  const type = stage.chance.pick(['user', 'course', 'section']);
  const pick = () =>
    type === 'user'
      ? stage.person().sis_user_id
      : type === 'course'
        ? stage.course().sis_source_id
        : stage.section()?.sis_source_id;
  const [one, other] = [pick(), pick()];
  if (!one || !other || one === other) return [];
  const by = stage.fresh('BY');
  const it = 'perhaps an id that is taken';
  return [
    row({ type, old_id: one, new_id: by }, it),
    row({ type, old_id: other, new_id: one }, it),
    row({ type, old_id: by, new_id: other }, it),
  ];
}
