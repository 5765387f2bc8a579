/** In which course rows of enrolments land: a section that was cross-listed away is followed. */
import { mapLimited } from '../../platform/limited.ts';
import { type Answer, AT_ONCE } from './ask.ts';
import { type CourseRef, sameCourse } from './course-enrolments.ts';
import { type DefaultAway, defaultAway, leaves } from './default-away.ts';
import type { NamedPlace } from './gathered.ts';
import { type FoundSection, sectionBySisId } from './holdings.ts';
import type { Judging } from './judging.ts';

/** `perhaps`: brought by a cross-listing of a section that is hidden. `gone`: the same upload deletes it. `deleted`: the LMS has. */
export type Problem = 'missing' | 'unread' | 'perhaps' | 'gone' | 'deleted';

export type Where = Pick<NamedPlace, 'by' | 'id'>;

/** Rows of a section that was cross-listed away, named with the course that it came from. */
export interface Away {
  section: string;
  from: string;
  rows: number;
  /** Whether the rows name no section: it is the one that the LMS takes for the default section of their course. */
  byDefault?: boolean;
}

/** Rows that land in one course, whichever way they name it. */
export interface Spot {
  where: Where;
  /** Null for a course that is named: it is looked up. */
  course: CourseRef | null;
  /** Why rows of a section reach no course. */
  problem: Problem | null;
  rows: readonly number[];
  removing: number;
  away: Away[];
  /** Whether rows without a section may land in one that was cross-listed to another course. */
  perhapsAway?: boolean;
}

/**
 * Where rows land: those that name a course, and those that name a section which is in it by now, are judged together.
 * @throws CanvasError when the token is refused
 */
export async function spotsOf(judging: Judging): Promise<Spot[]> {
  const { gathered, courses } = judging;
  const spots = new Map<string, Spot>();
  const add = (key: string, spot: Omit<Spot, 'away'>, away: Away | null = null) => {
    const there = spots.get(key);
    if (!there) {
      spots.set(key, { ...spot, away: away ? [away] : [] });
      return;
    }
    there.rows = [...there.rows, ...spot.rows];
    there.removing += spot.removing;
    there.perhapsAway ||= spot.perhapsAway ?? false;
    if (away) there.away.push(away);
    // Named by a row it is looked up by its name.
    if (spot.course === null) Object.assign(there, { where: spot.where, course: null });
  };
  const keyOf = ({ id, sisId }: CourseRef) => (id === null ? `new ${sisId}` : `course ${id}`);
  await mapLimited([...gathered.places.values()], AT_ONCE, async ({ by, id, rows, removing, sections }) => {
    const where = { by, id };
    if (by === 'section') {
      const course = await courseOfSection(judging, id, null);
      const found = typeof course === 'object';
      add(found ? keyOf(course) : `section ${id}`, {
        where: found && course.sisId !== '' ? { by: 'course', id: course.sisId } : where,
        course: found ? course : null,
        problem: found ? null : course,
        rows,
        removing,
      });
      return;
    }
    const held = courses.of(id);
    const own: CourseRef = { id: typeof held === 'object' ? held.id : null, sisId: id };
    const away = await sectionsAway(judging, own, sections);
    const sectionOf = (row: number) => (away.size > 0 ? gathered.enrolments.read(row)[3] : '');
    const named = rows.filter((row) => !away.has(sectionOf(row)));
    const { left, landing } = await withoutSection(judging, own, named);
    const perhapsAway = landing !== null && !landing.certain;
    if (left.length > 0)
      add(keyOf(own), { where, course: null, problem: null, rows: left, removing, perhapsAway });
    if (landing?.certain && landing.section !== null) {
      const { section, to, rows: those } = landing;
      add(
        keyOf(to),
        { where: whereOf(section, to), course: to, problem: null, rows: those, removing },
        { section, from: id, rows: those.length, byDefault: true },
      );
    }
    for (const [section, course] of away) {
      const those = rows.filter((row) => sectionOf(row) === section);
      add(
        keyOf(course),
        { where: whereOf(section, course), course, problem: null, rows: those, removing },
        { section, from: id, rows: those.length },
      );
    }
  });
  const all = [...spots.values()].filter((spot) => gathered.isLookedAt(spot));
  for (const spot of all) spot.rows = spot.rows.toSorted((a, b) => a - b);
  // Those that lose most come first.
  return all.sort((a, b) => b.removing - a.removing || (a.rows[0] ?? 0) - (b.rows[0] ?? 0));
}

const whereOf = (section: string, course: CourseRef): Where =>
  course.sisId === '' ? { by: 'section', id: section } : { by: 'course', id: course.sisId };

/** Rows of a course that stay in it, and those without a section that land in another one: these name their section now. */
async function withoutSection(
  judging: Judging,
  course: CourseRef,
  rows: readonly number[],
): Promise<{ left: readonly number[]; landing: (DefaultAway & { rows: number[] }) | null }> {
  const { enrolments } = judging.gathered;
  const [left, open]: [number[], number[]] = [[], []];
  const leaving = new Set<string>();
  for (const row of rows) {
    const [, , user, section, , , status] = enrolments.read(row);
    (section === '' ? open : left).push(row);
    if (leaves(section, status)) leaving.add(user);
  }
  const away = open.length === 0 ? null : await defaultAway(judging, course, leaving);
  if (away === null) return { left: rows, landing: null };
  const { section } = away;
  if (!away.certain || section === null)
    return { left: rows, landing: { ...away, certain: false, rows: [] } };
  const landed = open.map((row) => {
    const [part, at, user, , ...rest] = enrolments.read(row);
    return enrolments.add([part, at, user, section, ...rest]);
  });
  return { left, landing: { ...away, rows: landed } };
}

/** Where the sections are that rows name with a course, and that were cross-listed away from it. */
async function sectionsAway(
  judging: Judging,
  course: CourseRef,
  named: ReadonlySet<string>,
): Promise<Map<string, CourseRef>> {
  const { made, courses, courseEnrolments } = judging;
  const away = new Map<string, CourseRef>();
  if (named.size === 0) return away;
  const held = courses.of(course.sisId);
  const open = typeof held === 'object' && held.state !== 'deleted';
  const sections = open ? await courseEnrolments.sections(held) : [];
  if (typeof sections === 'string') return away;
  const own = new Set(
    sections.flatMap(({ id, sisId }) => (courseEnrolments.moves.has(id) ? [] : (sisId ?? []))),
  );
  await mapLimited([...named], AT_ONCE, async (section) => {
    if (own.has(section) || made.sections.get(section)?.course === course.sisId) return;
    const there = await courseOfSection(judging, section, course);
    // A section of another course altogether: the LMS refuses the row.
    if (typeof there === 'object' && !sameCourse(there, course)) away.set(section, there);
  });
  return away;
}

/** The course that a section is in after the rows so far. @param home the course that it must have been cross-listed from; null for any */
async function courseOfSection(
  { asking, made, courses, courseEnrolments }: Judging,
  sisId: string,
  home: CourseRef | null,
): Promise<CourseRef | Problem> {
  const newOne = made.sections.get(sisId);
  if (newOne) {
    const held = courses.of(newOne.course);
    if (home !== null && newOne.home !== home.sisId) return 'missing';
    return { id: typeof held === 'object' ? held.id : null, sisId: newOne.course };
  }
  const found: Answer<FoundSection> = await sectionBySisId(asking, sisId);
  if (typeof found === 'string') return found === 'missing' && made.perhaps.has(sisId) ? 'perhaps' : found;
  const move = courseEnrolments.moves.get(found.id);
  const from = move ? move.home : found.home === null ? null : { id: found.home, sisId: '' };
  if (home !== null && (from === null || !sameCourse(from, home))) return 'missing';
  return move?.to ?? { id: found.courseId, sisId: found.course ?? '' };
}
