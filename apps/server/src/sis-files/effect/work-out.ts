/** Works out what the rows of a stored file do: read once, the LMS asked as cheaply as it goes, judged table by table. */
import type { SisFile } from '@lms-admin/contract/sis-files';
import { MANY_TAKEN, TAKEN_SHARE } from '@lms-admin/domain/sis-effect/brake';
import { SIS_KINDS, type SisKind } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';
import type { Db } from '../../platform/database.ts';
import type { ImportFile } from '../../platform/schema.ts';
import { type Asking, FEW, id, walked } from './ask.ts';
import { AccountsAndTerms, CoursesOfLms } from './courses.ts';
import { judgeForeign, withForeign } from './foreign-rows.ts';
import { type Gathered, gather } from './gathered.ts';
import { judgeEnrolments } from './judge-enrolments.ts';
import { judgeGroups } from './judge-groups.ts';
import { judgeObservers, judgePeople } from './judge-people.ts';
import { judgePlaces } from './judge-places.ts';
import { count, type Judging, Made, named, put, removes } from './judging.ts';
import { PeopleOfLms } from './people.ts';
import { rolesOf } from './roles.ts';
import { NO_SINK, type Sink } from './sink.ts';
import { Tally } from './tally.ts';

/** People of enrolments from which on the list of everybody is read: fewer are mostly shown by their courses. */
const MANY_PEOPLE = 10 * FEW;

export interface Upload {
  file: Pick<SisFile, 'id' | 'parts' | 'rows'>;
  files: readonly ImportFile[];
}

export interface Options {
  /** Only rows that may take something away are looked at, and counted. */
  onlyTaking?: boolean;
  sink?: Sink;
  onStep?: (step: EffectStep) => void;
}

/** How far it is. */
export interface EffectStep {
  doing: 'reading' | 'asking' | 'comparing';
  done: number;
  total: number;
}

/** What was worked out, beside the rows themselves. */
export interface Worked {
  tally: Tally;
  courses: number;
  people: number;
}

/** @throws CanvasError when the admin's token is refused; the signal's reason */
export async function workOut(
  asking: Asking,
  db: Db,
  { file, files }: Upload,
  options: Options = {},
): Promise<Worked> {
  const { onlyTaking = false, sink = NO_SINK, onStep = () => {} } = options;
  const total = file.rows;
  const gathered = await gather(db, file, files, onlyTaking, asking.signal, (done) =>
    onStep({ doing: 'reading', done, total }),
  );
  onStep({ doing: 'asking', done: 0, total });
  const around = new AccountsAndTerms(asking);
  let before = 0;
  let latest = 0;
  const judging: Judging = {
    asking,
    gathered,
    sink,
    around,
    tally: new Tally(),
    made: new Made(),
    people: new PeopleOfLms(asking),
    courses: new CoursesOfLms(asking, around),
    onJudged(rows) {
      // Each table counts its own.
      if (rows < latest) before += latest;
      latest = rows;
      onStep({ doing: 'comparing', done: Math.min(before + rows, total), total });
    },
  };
  const { tally } = judging;
  // Ids that change in the same upload are not those that the LMS knows now.
  if (file.parts.some(({ kind }) => kind === 'change_sis_id')) await withChangedIds(judging);
  else await judgeAll(judging);
  for (const kind of ['user', 'course'] as const) {
    const taken = tally.taken(kind);
    if (taken > 0) tally.there.set(kind, await thereAre(judging, kind, taken));
  }
  return { tally, courses: gathered.places.size, people: gathered.users.size };
}

async function judgeAll(judging: Judging): Promise<void> {
  const { asking, gathered, people, courses } = judging;
  const open = await withForeign(judging);
  const { ids, logins } = peopleNamed(gathered);
  await Promise.all([
    people.prepare(ids, logins),
    courses.prepare(coursesNamed(gathered), gathered.count('course') > 0),
  ]);
  asking.signal.throwIfAborted();
  await judgePlaces(judging);
  await judgePeople(judging);
  await judgeEnrolments(judging, await rolesOf(asking, gathered), open);
  await judgeGroups(judging);
  await judgeObservers(judging);
}

function peopleNamed(gathered: Gathered): { ids: Set<string>; logins: Set<string> } {
  const ids = new Set<string>();
  const logins = new Set<string>();
  const note = (kind: SisKind, columns: readonly string[]) => {
    for (const { cell } of gathered.of(kind))
      for (const column of columns) if (cell(column)) ids.add(cell(column) ?? '');
  };
  note('user', ['user_id']);
  note('login', ['user_id', 'existing_user_id']);
  note('group_membership', ['user_id']);
  note('user_observer', ['observer_id', 'student_id']);
  for (const { cell } of gathered.of('user')) logins.add((cell('login_id') ?? '').toLowerCase());
  if (gathered.users.size > MANY_PEOPLE) for (const user of gathered.users) ids.add(user);
  return { ids, logins };
}

function coursesNamed(gathered: Gathered): Set<string> {
  const ids = new Set<string>();
  for (const { by, id: course } of gathered.places.values()) if (by === 'course') ids.add(course);
  const columns = [
    ['course', 'course_id'],
    ['section', 'course_id'],
    ['xlist', 'xlist_course_id'],
    ['group_category', 'course_id'],
    ['group', 'course_id'],
  ] as const;
  for (const [kind, column] of columns) {
    for (const { cell } of gathered.of(kind)) if (cell(column)) ids.add(cell(column) ?? '');
  }
  return ids;
}

/** Nothing is compared: what is taken away counts as it stands. */
async function withChangedIds(judging: Judging): Promise<void> {
  const { gathered, tally } = judging;
  tally.notes.push('The file changes SIS ids, so its rows were not compared with what the LMS holds now.');
  const why = 'Ids change in the same upload, so the row was not compared.';
  for (const kind of SIS_KINDS) {
    for (const { cell, ...at } of gathered.of(kind)) {
      const changes = kind === 'change_sis_id';
      const effect = changes
        ? ({ does: 'changes', fields: [['id', cell('old_id') ?? null, cell('new_id') ?? null]] } as const)
        : ({ does: 'unknown', why } as const);
      if (!changes) count(judging, kind, effect, removes(kind, cell));
      const [column = ''] = changes ? ['old_id'] : (idColumn(kind) ?? []);
      await put(judging, kind, at, effect, named(cell(column), changes ? (cell('type') ?? null) : null));
    }
  }
  for (const place of gathered.places.values()) {
    const from = tally.rows('enrollment', 'unknown');
    for (const at of place.rows) {
      const [part, row, user, , , , status] = gathered.enrolments.read(at);
      const effect = { does: 'unknown', why } as const;
      count(judging, 'enrollment', effect, /^deleted/i.test(status));
      await put(judging, 'enrollment', { part, row }, effect, named(user), { in: named(place.id) });
    }
    const rows = place.rows.length;
    const course = {
      of: named(place.id),
      term: null,
      rows,
      does: { unknown: rows },
      from: { unknown: from },
    };
    await judging.sink.course(course);
  }
  const open = gathered.foreignRows.map((at) => gathered.foreign.read(at));
  await judgeForeign(
    judging,
    open.map((one) => ({ ...one, effect: { does: 'unknown', why } })),
  );
}

/** The column with the SIS id of what a row is about. */
function idColumn(kind: SisKind): readonly string[] {
  const columns: Partial<Record<SisKind, string>> = {
    user: 'user_id',
    login: 'user_id',
    course: 'course_id',
    section: 'section_id',
    xlist: 'section_id',
    account: 'account_id',
    term: 'term_id',
    abstract_course: 'abstract_course_id',
    group_category: 'group_category_id',
    group: 'group_id',
    group_membership: 'user_id',
    user_observer: 'observer_id',
  };
  return [columns[kind] ?? ''];
}

/** How many people or courses there are; no further than it takes to know whether those that go are many of them. */
async function thereAre(
  { asking, people, courses }: Judging,
  kind: 'user' | 'course',
  taken: number,
): Promise<number | null> {
  const all = kind === 'user' ? people.all : courses.all;
  if (all !== null) return all;
  // Beyond it the number is asked for anyway.
  if (taken > MANY_TAKEN) return null;
  const enough = taken / TAKEN_SHARE;
  let seen = 0;
  const path = kind === 'user' ? 'accounts/1/users' : 'accounts/1/courses';
  const read = await walked(asking, path, z.object({ id }), [], Math.ceil(enough / 100) + 1, () => seen++);
  return read || seen >= enough ? seen : null;
}
