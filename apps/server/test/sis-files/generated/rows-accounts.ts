/** Rows for accounts, terms and abstract courses. */
import type { GeneratedRow, GeneratedTable } from './file.ts';
import { onceEach } from './rows-people.ts';
import { BAD_DATES, type Choices, row, type Stage } from './stage.ts';

type Make = (stage: Stage) => GeneratedRow;

const accountsOf = ({ world }: Stage) =>
  [...world.accounts.values()].filter((one) => one.sis_source_id !== null);
export const anAccount = (stage: Stage): string => stage.chance.pick(accountsOf(stage)).sis_source_id ?? '';
/** Returns an account that no file deletes; an empty cell means the root account. */
export const lastingAccount = (stage: Stage): string => {
  const lasting = accountsOf(stage).filter(({ sis_source_id }) => !sis_source_id?.startsWith('ACC-'));
  return stage.chance.pick(['', ...lasting.map(({ sis_source_id }) => sis_source_id ?? '')]);
};
export const aTerm = (stage: Stage): string => {
  const terms = [...stage.world.terms.values()].filter((one) => one.sis_source_id !== null);
  return stage.chance.pick([...terms.map((one) => one.sis_source_id ?? ''), ...stage.ahead.term]);
};

const ACCOUNTS: Choices<Make> = [
  [
    4,
    (stage) =>
      row({
        account_id: stage.fresh('ACC'),
        parent_account_id: anAccount(stage),
        name: stage.name(),
        status: 'active',
      }),
  ],
  [
    2,
    (stage) =>
      row({
        account_id: stage.fresh('ACC'),
        parent_account_id: '',
        name: stage.name(),
        status: stage.word('active'),
      }),
  ],
  [
    3,
    (stage) =>
      row(
        {
          account_id: lastAccount(stage),
          parent_account_id: anAccount(stage),
          name: stage.name(),
          status: 'active',
        },
        'perhaps a loop',
      ),
  ],
  [
    3,
    (stage) =>
      row(
        { account_id: lastAccount(stage), parent_account_id: '', name: 'Gone', status: 'deleted' },
        'perhaps with courses',
      ),
  ],
  [
    2,
    (stage) =>
      row(
        { account_id: anAccount(stage), parent_account_id: '', name: 'Gone', status: 'deleted' },
        'an account with courses',
      ),
  ],
  [
    1,
    (stage) =>
      row(
        { account_id: stage.fresh('ACC'), parent_account_id: 'NO-ACCOUNT', name: 'x', status: 'active' },
        'no parent',
      ),
  ],
  [
    1,
    (stage) =>
      row({ account_id: stage.fresh('ACC'), parent_account_id: '', name: '', status: 'active' }, 'no name'),
  ],
  [
    1,
    (stage) =>
      row({ account_id: stage.fresh('ACC'), parent_account_id: '', name: 'Gone', status: 'deleted' }),
  ],
];

/** Returns an account created by a file, if there is one. */
function lastAccount(stage: Stage): string {
  const made = accountsOf(stage).filter(({ sis_source_id }) => sis_source_id?.startsWith('ACC-'));
  return made.length > 0 ? (stage.chance.pick(made).sis_source_id ?? '') : anAccount(stage);
}

export function accounts(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(ACCOUNTS)(stage), 3, 'mistake');
  const columns = stage.columns(
    rows,
    ['account_id', 'parent_account_id', 'name', 'status'],
    ['integration_id'],
  );
  return { kind: 'account', columns, rows: onceEach(rows, ['account_id']) };
}

export const dated = (stage: Stage): Record<string, string> => ({
  ...(stage.chance.chance(0.5) ? { start_date: stage.date() } : {}),
  ...(stage.chance.chance(0.5) ? { end_date: stage.date() } : {}),
});

const newTerm = (stage: Stage): Record<string, string> => {
  const id = stage.fresh('TERM');
  stage.ahead.term.push(id);
  return { term_id: id, name: `Term ${id}`, status: stage.word('active') };
};

const TERMS: Choices<Make> = [
  [5, (stage) => row({ ...newTerm(stage), ...dated(stage) })],
  [4, (stage) => row({ term_id: aTerm(stage), name: stage.name(), status: 'active', ...dated(stage) })],
  [
    3,
    (stage) => row({ term_id: aTerm(stage), name: 'Gone', status: 'deleted' }, 'perhaps a term with courses'),
  ],
  [1, (stage) => row({ term_id: stage.fresh('TERM'), name: 'Gone', status: 'deleted' })],
  [
    2,
    (stage) =>
      row({
        term_id: aTerm(stage),
        name: stage.name(),
        status: 'active',
        integration_id: stage.fresh('TINT'),
      }),
  ],
  [1, (stage) => row({ term_id: aTerm(stage), name: '', status: 'active' }, 'no name')],
  [
    1,
    (stage) =>
      row({ ...newTerm(stage), start_date: stage.chance.pick(BAD_DATES) }, 'a date that nobody can read'),
  ],
  [
    1,
    (stage) =>
      row({
        term_id: aTerm(stage),
        name: '',
        status: 'active',
        date_override_enrollment_type: stage.chance.pick([
          'StudentEnrollment',
          'TeacherEnrollment',
          'TaEnrollment',
          'DesignerEnrollment',
        ]),
        ...dated(stage),
      }),
  ],
  [
    1,
    () =>
      row(
        {
          term_id: 'NO-TERM',
          name: '',
          status: 'active',
          date_override_enrollment_type: 'StudentEnrollment',
        },
        'no term',
      ),
  ],
];

export function terms(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(TERMS)(stage), 3, 'mistake');
  const kind = 'date_override_enrollment_type';
  const overrides = rows.some(({ cells }) => cells[kind]);
  const columns = [
    ...stage.columns(rows, ['term_id', 'name', 'status'], ['start_date', 'end_date', 'integration_id']),
    ...(overrides ? [kind] : []),
  ];
  return { kind: 'term', columns, rows: onceEach(rows, ['term_id']) };
}

export function abstractCourses(stage: Stage): GeneratedTable {
  const made = [...stage.world.abstractCourses.values()];
  const id = () =>
    made.length > 0 && stage.chance.chance(0.5)
      ? (stage.chance.pick(made).sis_source_id ?? '')
      : stage.fresh('ABS');
  const rows = stage.rows(
    () =>
      row({
        abstract_course_id: id(),
        short_name: 'ABS',
        long_name: stage.name(),
        status: stage.word(stage.chance.chance(0.7) ? 'active' : 'deleted'),
      }),
    2,
    'mistake',
  );
  return {
    kind: 'abstract_course',
    columns: ['abstract_course_id', 'short_name', 'long_name', 'status'],
    rows: onceEach(rows, ['abstract_course_id']),
  };
}
