/** Generates the next file from the current sandbox. */
import { SIS_KINDS, type SisKind } from '@lms-admin/domain/sis-tables';
import type { World } from '@lms-admin/sandbox/canvas/store/world';
import type { GeneratedFile, GeneratedTable, Writing } from './file.ts';
import { abstractCourses, accounts, terms } from './rows-accounts.ts';
import { enrolments } from './rows-enrollments.ts';
import { categories, groups, memberships } from './rows-groups.ts';
import { changedIds, logins, observers, users } from './rows-people.ts';
import { courses, crossListings, sections } from './rows-places.ts';
import { type Chance, type Choices, type Pool, Stage } from './stage.ts';

const TABLES: Partial<Record<SisKind, (stage: Stage) => GeneratedTable>> = {
  change_sis_id: changedIds,
  account: accounts,
  term: terms,
  abstract_course: abstractCourses,
  course: courses,
  section: sections,
  xlist: crossListings,
  user: users,
  login: logins,
  enrollment: enrolments,
  group_category: categories,
  group: groups,
  group_membership: memberships,
  user_observer: observers,
};

/** The tables used in files, set by `SIS_TABLES=user,login`; all if not set. */
const ONLY = process.env['SIS_TABLES']?.split(',');

/** Share of each table: highest for those that admins send most often and that remove most. */
const ALL_SHARES: Choices<SisKind> = [
  [20, 'user'],
  [24, 'enrollment'],
  [12, 'course'],
  [12, 'section'],
  [10, 'xlist'],
  [5, 'group_category'],
  [6, 'group'],
  [12, 'group_membership'],
  [7, 'user_observer'],
  [5, 'login'],
  [4, 'account'],
  [5, 'term'],
  [2, 'abstract_course'],
  [6, 'change_sis_id'],
];

const SHARES = ALL_SHARES.filter(([, kind]) => ONLY?.includes(kind) ?? true);

const ZIPS = Number(process.env['SIS_ZIPS'] ?? 0.3);
/** Tables of a zip that are split into two files. */
const SPLIT = 0.3;

/** @param name part of every new id. The same random numbers and the same sandbox give the same file */
export function nextFile(chance: Chance, world: World, pool: Pool, name: string): GeneratedFile {
  const stage = new Stage(chance, world, pool, name);
  const zip = chance.chance(ZIPS);
  const kinds = new Set<SisKind>();
  const count = zip ? Math.min(chance.between(2, 5), SHARES.length) : 1;
  // Rows about objects deleted by the same upload need both tables.
  if (zip && ONLY === undefined && chance.chance(0.3))
    kinds.add('enrollment').add(chance.pick(['user', 'section'] as const));
  while (kinds.size < count) kinds.add(stage.one(SHARES));
  // Tables are in the LMS's processing order, so that later rows name objects from earlier ones.
  const tables = SIS_KINDS.filter((kind) => kinds.has(kind)).flatMap((kind) => TABLES[kind]?.(stage) ?? []);
  return {
    tables: zip ? tables.flatMap((table) => halves(stage, table)) : tables,
    zip,
    writing: writing(stage),
  };
}

/** Splits a table, occasionally, into two files of one kind whose rows continue each other. */
function halves({ chance }: Stage, table: GeneratedTable): GeneratedTable[] {
  const { rows } = table;
  if (rows.length < 2 || !chance.chance(SPLIT)) return [table];
  const at = chance.between(1, rows.length - 1);
  return [
    { ...table, rows: rows.slice(0, at) },
    { ...table, rows: rows.slice(at), skip: 100 },
  ];
}

function writing(stage: Stage): Writing {
  const { chance } = stage;
  return {
    lineEnd: chance.chance(0.3) ? '\r\n' : '\n',
    delimiter: stage.one<Writing['delimiter']>([
      [8, ','],
      [1, ';'],
      [1, '\t'],
    ]),
    mark: chance.chance(0.2),
    blank: chance.chance(0.1) ? 2 : 0,
  };
}
