/** What the rows of a SIS file must hold (LMS reference §9.1, §9.5; OP-53): pure checks, quick enough for every row of a large file. */
import type { RoleLevel } from './access.ts';
import type { SisKind } from './sis-kinds.ts';

/** What is wrong with a row, or with the header, in words for people. */
export interface SisProblem {
  column: string | null;
  message: string;
}

/** Values of `status` that the LMS knows, for the kinds whose rows are checked one by one. */
export const SIS_STATUSES = {
  user: ['active', 'suspended', 'deleted'],
  enrollment: ['active', 'deleted', 'completed', 'inactive', 'deleted_last_completed'],
} as const;

/** Columns of a users file that an admin of limited reach may send: those that describe a new person. */
export const NEW_USER_COLUMNS: readonly string[] = [
  'user_id',
  'integration_id',
  'login_id',
  'first_name',
  'last_name',
  'full_name',
  'sortable_name',
  'short_name',
  'email',
  'status',
];

/** Most rows of a users file of an admin of limited reach: each person is looked up in the LMS. */
export const MAX_NEW_USERS_IN_FILE = 5_000;

/** Most columns of a file; the widest kind has some twenty. */
export const MAX_COLUMNS = 100;

/** What the admin may do, as far as rows depend on it. */
export interface SisRules {
  /** True for an admin of limited reach (`CUSTOM`). */
  limited: boolean;
  mayGiveRole(roleId: number, level: RoleLevel): boolean;
  /** Ids of the roles that the LMS may understand by a name; empty when there is none. */
  rolesNamed(name: string): readonly number[];
}

/** Checks one row. @param cells trimmed, in the order of the header; missing ones count as empty */
export type RowCheck = (cells: readonly string[]) => SisProblem | null;

const CONTROL = /[\u0000-\u001f\u007f]/;
const NUL = /\u0000/;
/** An id or login that can be looked up without doubt about what the LMS will make of it. */
const PLAIN = /^[\x21-\x7e]{1,255}$/;
const ROLE_ID = /^[1-9]\d{0,15}$/;

/** The names of a header as they are sent: trimmed and in lower case. */
export function sisHeader(cells: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  while (names.length > 0 && names.at(-1) === '') names.pop();
  return names;
}

/** What is wrong with the header of a file of this kind; empty when all is well. */
export function headerProblems(kind: SisKind, header: readonly string[], limited: boolean): SisProblem[] {
  const problems: SisProblem[] = [];
  const seen = new Set<string>();
  if (header.length > MAX_COLUMNS) {
    return [{ column: null, message: `The header has more than ${MAX_COLUMNS} columns.` }];
  }
  for (const name of header) {
    if (name === '') continue;
    // A line break in a name would be the first that the LMS sees, and so what it takes for the end of every line.
    if (CONTROL.test(name)) {
      problems.push({
        column: null,
        message: `The column ${shown(name)} has a line break, or a sign that cannot be shown.`,
      });
    }
    // Which of the two the LMS would read is its own business.
    if (seen.has(name)) problems.push({ column: name, message: `The column ${name} is there twice.` });
    seen.add(name);
  }
  const need = (...names: string[]) => {
    if (names.some((name) => seen.has(name))) return;
    problems.push({ column: names[0] ?? null, message: `The column ${names.join(' or ')} is missing.` });
  };
  if (kind === 'user') need('status');
  if (kind === 'enrollment') {
    need('role_id', 'role');
    need('status');
  }
  if (!limited) return problems;
  if (kind === 'enrollment') {
    need('course_id');
    need('user_id');
    if (seen.has('root_account')) {
      problems.push({ column: 'root_account', message: 'You may not use the column root_account.' });
    }
  }
  if (kind === 'user') {
    for (const name of seen) {
      if (NEW_USER_COLUMNS.includes(name)) continue;
      problems.push({ column: name, message: `You may not use the column ${name} in a users file.` });
    }
  }
  return problems;
}

/** The check for the rows of this kind; null for kinds whose rows are left to the LMS. */
export function rowCheck(kind: SisKind, header: readonly string[], rules: SisRules): RowCheck | null {
  if (kind === 'enrollment') return enrollmentCheck(header, rules);
  if (kind === 'user') return userCheck(header, rules);
  return null;
}

/**
 * Cells beyond the header, a NUL, or, in the kinds that are checked row by row, any control sign or line break: what is
 * wrong with the form of a row.
 */
export function formProblem(
  cells: readonly string[],
  header: readonly string[],
  kind: SisKind | null,
): SisProblem | null {
  const bad = kind === 'user' || kind === 'enrollment' ? CONTROL : NUL;
  for (let at = header.length; at < cells.length; at++) {
    if (cells[at] === '') continue;
    return {
      column: null,
      message: `The row has ${cells.length} cells, the header only ${header.length}.`,
    };
  }
  for (let at = 0; at < cells.length; at++) {
    if (!bad.test(cells[at] as string)) continue;
    return {
      column: header[at] || null,
      message: `The cell has a sign that cannot be shown, or a line break: ${shown(cells[at] as string)}.`,
    };
  }
  return null;
}

/** A value within a sentence: quoted, with its odd signs written out, cut when long. */
export function shown(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}

function enrollmentCheck(header: readonly string[], rules: SisRules): RowCheck {
  const at = (name: string) => header.indexOf(name);
  const [course, section, user, integration, roleId, role, status] = [
    at('course_id'),
    at('section_id'),
    at('user_id'),
    at('user_integration_id'),
    at('role_id'),
    at('role'),
    at('status'),
  ] as [number, number, number, number, number, number, number];
  const statuses: ReadonlySet<string> = new Set(SIS_STATUSES.enrollment);
  // Neighbouring rows mostly give the same role.
  let lastId = '';
  let lastName = '';
  let lastLevel: RoleLevel | null = null;
  let lastProblem: SisProblem | null = null;
  return (cells) => {
    const courseId = cells[course] ?? '';
    const sectionId = cells[section] ?? '';
    if (courseId === '' && (rules.limited || sectionId === '')) {
      return { column: 'course_id', message: 'The course is missing.' };
    }
    if ((cells[user] ?? '') === '' && (rules.limited || (cells[integration] ?? '') === '')) {
      return { column: 'user_id', message: 'The SIS id of the person is missing.' };
    }
    const id = cells[roleId] ?? '';
    const name = cells[role] ?? '';
    const level: RoleLevel = sectionId === '' ? 'course' : 'section';
    if (id !== lastId || name !== lastName || level !== lastLevel) {
      lastProblem = roleProblem(id, name, level, rules);
      lastId = id;
      lastName = name;
      lastLevel = level;
    }
    if (lastProblem !== null) return lastProblem;
    const state = cells[status] ?? '';
    return statuses.has(state) || statuses.has(state.toLowerCase())
      ? null
      : statusProblem(state, SIS_STATUSES.enrollment);
  };
}

/** The LMS tries the number first and then the name, so where both are given both must be allowed. */
function roleProblem(id: string, name: string, level: RoleLevel, rules: SisRules): SisProblem | null {
  if (id === '' && name === '') return { column: 'role_id', message: 'The role is missing.' };
  if (id !== '') {
    if (!ROLE_ID.test(id)) {
      return { column: 'role_id', message: `The role should be a number, not ${shown(id)}.` };
    }
    if (!rules.mayGiveRole(Number(id), level)) {
      return { column: 'role_id', message: `You may not give the role ${id}${inSection(level)}.` };
    }
  }
  if (name === '') return null;
  const ids = rules.rolesNamed(name);
  if (ids.length === 0) return { column: 'role', message: `The LMS has no role ${shown(name)}.` };
  if (ids.every((one) => rules.mayGiveRole(one, level))) return null;
  return { column: 'role', message: `You may not give the role ${shown(name)}${inSection(level)}.` };
}

function inSection(level: RoleLevel): string {
  return level === 'section' ? ' in a section' : '';
}

function userCheck(header: readonly string[], rules: SisRules): RowCheck {
  const user = header.indexOf('user_id');
  const login = header.indexOf('login_id');
  const status = header.indexOf('status');
  return (cells) => {
    const userId = cells[user] ?? '';
    const loginId = cells[login] ?? '';
    const state = (cells[status] ?? '').toLowerCase();
    if (userId === '') return { column: 'user_id', message: 'The SIS id of the person is missing.' };
    if (loginId === '') return { column: 'login_id', message: 'The login is missing.' };
    if (!SIS_STATUSES.user.some((one) => one === state)) return statusProblem(state, SIS_STATUSES.user);
    if (!rules.limited) return null;
    if (state !== 'active') {
      return { column: 'status', message: 'You may only create people: the status should be active.' };
    }
    if (!PLAIN.test(userId)) return { column: 'user_id', message: plainText('SIS id', userId) };
    if (!PLAIN.test(loginId)) return { column: 'login_id', message: plainText('login', loginId) };
    return null;
  };
}

function plainText(what: string, value: string): string {
  return `The ${what} ${shown(value)} has spaces or signs other than plain letters, digits and punctuation.`;
}

function statusProblem(status: string, known: readonly string[]): SisProblem {
  const list = `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`;
  return {
    column: 'status',
    message:
      status === ''
        ? `The status is missing: it should be ${list}.`
        : `The status should be ${list}, not ${shown(status)}.`,
  };
}

export const DELIMITERS = [',', ';', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The separator of a header line: the one that stands there most often outside of quotes; a comma when there is none. */
export function sniffDelimiter(line: string): Delimiter {
  const outside = line.replace(/"[^"]*("|$)/g, '');
  let best: Delimiter = ',';
  let most = 0;
  for (const one of DELIMITERS) {
    const count = outside.split(one).length - 1;
    if (count > most) {
      best = one;
      most = count;
    }
  }
  return best;
}

/** Whether a status deletes what its row names. */
export function deletes(status: string): boolean {
  return status.includes('deleted');
}

/** Deletions beyond which the number has to be typed: rows, and share of a course's active enrolments. */
export const MANY_DELETIONS = 50;
export const DELETED_SHARE = 0.05;

/** Whether, and why, the number of deletions has to be typed before a file is sent. */
export function deletionReason(
  rows: number,
  courses: readonly { deleted: number; active: number | null }[],
): 'many-rows' | 'share-of-course' | null {
  if (rows > MANY_DELETIONS) return 'many-rows';
  const large = courses.some(
    ({ deleted, active }) => active !== null && active > 0 && deleted > active * DELETED_SHARE,
  );
  return large ? 'share-of-course' : null;
}

/**
 * The row of the admin's own file that is the LMS's n-th: the LMS counts rows without blank ones, header being row 1.
 * @param blank runs of blank rows of the admin's file, in order: first row and how many
 */
export function ownRow(n: number, blank: readonly (readonly [row: number, count: number])[]): number {
  let own = n;
  for (const [row, count] of blank) {
    if (row > own) break;
    own += count;
  }
  return own;
}
