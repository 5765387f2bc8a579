/** The two reports of the award: by campus and course, and by professor (BTA-20, BTA-21, OP-85 to OP-87). Pure. */
import { type AwardCampus, type AwardView, type CourseType, campusesOf, campusOf } from './award-campuses.ts';
import type { AwardEntry } from './award-entries.ts';
import type { JoinedVotes, UnmatchedVotes } from './award-join.ts';
import { inOrder, nameKey } from './award-text.ts';

/**
 * A row of either report. A professor's row combines all their courses of this type, and the campuses of those courses.
 */
export interface ReportRow {
  course: string;
  professor: string;
  campus: string;
  /** From the list (OP-86); in a professor's row, for all courses together. */
  enrolled: number;
  votes: number;
  /** Votes from identified voters among them. */
  known: number;
  /** Votes per hundred people enrolled, with one decimal; null if no one is enrolled. */
  percent: number | null;
}

/** Choices that identify a report. */
export interface ReportChoice {
  view: AwardView;
  /** A code, see `campusesOf`. */
  campus: string;
  type: CourseType;
}

/** Every vote of the selected campus and type is in exactly one of the two lists. */
export interface AwardReport {
  /** Rows with most votes first, including courses without votes. */
  rows: readonly ReportRow[];
  /** Votes of this type without an entry, for the selected campus or an unknown one. */
  unmatched: readonly UnmatchedVotes[];
}

const JOINED = ', ';

/** Calculates the votes per hundred people enrolled, with one decimal, rounded half up (OP-86). Can be above 100. */
export function percentOf(votes: number, enrolled: number): number | null {
  return enrolled > 0 ? Math.round((votes * 1_000) / enrolled) / 10 : null;
}

/**
 * Creates the report of a choice.
 * @returns null when the campus is unknown (OP-87)
 */
export function awardReport(joined: JoinedVotes, { view, campus, type }: ReportChoice): AwardReport | null {
  const campuses = campusesOf(campus, view);
  if (campuses === null) return null;
  const chosen = new Set<AwardCampus>(campuses);
  const courses: Counted[] = [];
  for (const [entry, figures] of joined.of) {
    if (entry.type === type && chosen.has(entry.campus)) courses.push({ entry, ...figures });
  }
  const groups = view === 'by-prof' ? byProfessor(courses) : courses.map((one) => [one]);
  const unmatched = joined.unmatched.filter((one) => {
    const their = campusOf(one.campus);
    return one.type === type && (their === null || chosen.has(their));
  });
  return {
    rows: groups
      .map(rowOf)
      .sort(byVotes)
      .map(({ row }) => row),
    unmatched,
  };
}

interface Counted {
  entry: AwardEntry;
  votes: number;
  known: number;
}

/** Groups courses by professor: ids are unique only within a campus, so id and name must both be the same. */
function byProfessor(courses: readonly Counted[]): Counted[][] {
  const groups = new Map<string, Counted[]>();
  for (const one of courses) {
    const key = `${nameKey(one.entry.professorId)}\n${nameKey(one.entry.professor)}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

interface Ordered {
  row: ReportRow;
  /** Orders rows with equal figures. */
  keys: readonly string[];
}

function rowOf(courses: readonly Counted[]): Ordered {
  const ordered = [...courses].sort(
    (a, b) => b.votes - a.votes || inOrder(nameKey(a.entry.course), nameKey(b.entry.course)) || byIds(a, b),
  );
  const sum = (of: (one: Counted) => number) => ordered.reduce((all, one) => all + of(one), 0);
  const each = (of: (entry: AwardEntry) => string) => [...new Set(ordered.map(({ entry }) => of(entry)))];
  const [votes, enrolled] = [sum((one) => one.votes), sum(({ entry }) => entry.enrolled)];
  const row: ReportRow = {
    course: each(({ course }) => course).join(JOINED),
    professor: ordered[0]?.entry.professor ?? '',
    campus: each(({ campus }) => campus)
      .sort(inOrder)
      .join(JOINED),
    enrolled,
    votes,
    known: sum((one) => one.known),
    percent: percentOf(votes, enrolled),
  };
  const ids = ordered.flatMap(({ entry }) => [entry.courseId, entry.professorId]);
  return { row, keys: [nameKey(row.course), nameKey(row.professor), row.campus, ...ids] };
}

function byIds({ entry: a }: Counted, { entry: b }: Counted): number {
  return inOrder(a.campus, b.campus) || inOrder(a.courseId, b.courseId) || inOrder(a.course, b.course);
}

/** Orders by votes, then share, then names and ids: the result does not depend on the order of the list. */
function byVotes({ row: a, keys: ofA }: Ordered, { row: b, keys: ofB }: Ordered): number {
  const figures = b.votes - a.votes || (b.percent ?? -1) - (a.percent ?? -1) || a.enrolled - b.enrolled;
  if (figures !== 0) return figures;
  for (const [at, key] of ofA.entries()) {
    const order = inOrder(key, ofB[at] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** Rows of the chart. */
export const LEADING_ROWS = 10;

/** Finds the leading rows with votes, and the number of further rows with as many votes as the last of them. */
export function leadingRows(rows: readonly ReportRow[]): { rows: readonly ReportRow[]; asMany: number } {
  const voted = rows.filter(({ votes }) => votes > 0);
  const leading = voted.slice(0, LEADING_ROWS);
  const last = leading.at(-1)?.votes;
  return { rows: leading, asMany: voted.slice(LEADING_ROWS).filter(({ votes }) => votes === last).length };
}

/** Returns the cells of a row in the order of its table's header (BTA-20, BTA-21); figures stay numbers. */
export function reportCells(
  view: AwardView,
  { course, professor, campus, enrolled, votes, percent }: ReportRow,
): readonly (string | number | null)[] {
  return view === 'by-prof'
    ? [professor, course, campus, votes, percent]
    : [course, professor, campus, enrolled, votes, percent];
}
