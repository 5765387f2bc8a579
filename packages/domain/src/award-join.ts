/** Votes and the current list, joined by the keys that were decided (OP-105): no vote is lost where nothing fits. Pure. */
import { type CourseType, campusOf } from './award-campuses.ts';
import type { AwardEntry } from './award-entries.ts';
import { NearestNames } from './award-nearest.ts';
import { inOrder, nameKey } from './award-text.ts';
import type { Tally } from './award-votes.ts';

/** `known`: votes of voters that can be told apart. */
export interface VoteFigures {
  votes: number;
  known: number;
}

/** Why votes match no entry. */
export const UNMATCHED = [
  /** Nothing in the list is called like this. */
  'not-in-list',
  /** It is in the list, as a course of the other type. */
  'other-type',
  /** Several entries are called like this, and the survey has no ids. */
  'several',
] as const;
export type Unmatched = (typeof UNMATCHED)[number];

/** Votes for one choice that matches nothing, as most of them spell it. */
export interface UnmatchedVotes extends VoteFigures {
  type: CourseType;
  campus: string;
  course: string;
  professor: string;
  reason: Unmatched;
  /** What it may have meant: the entries that it names, or the most alike. */
  nearest: readonly AwardEntry[];
}

/** Every vote is here once. */
export interface JoinedVotes {
  of: ReadonlyMap<AwardEntry, VoteFigures>;
  /** Most votes first. */
  unmatched: readonly UnmatchedVotes[];
}

/** Choices for which the most alike entries are looked up; no one reads more of them, and made-up ones cost no time. */
const MOST_LOOKED_UP = 5_000;

/** Joins the votes with the list. */
export function joinVotes(entries: readonly AwardEntry[], tallies: readonly Tally[]): JoinedVotes {
  const index = new EntryIndex(entries);
  const of = new Map<AwardEntry, VoteFigures>(entries.map((entry) => [entry, { votes: 0, known: 0 }]));
  const others = new Map<string, { first: Tally; figures: VoteFigures; found: Found }>();
  // The spelling that most voters chose represents those that mean the same.
  for (const tally of [...tallies].sort((a, b) => b.votes - a.votes)) {
    const found = index.find(tally);
    const figures = 'entry' in found ? of.get(found.entry) : others.get(choiceKey(tally))?.figures;
    if (figures !== undefined) add(figures, tally);
    else
      others.set(choiceKey(tally), {
        first: tally,
        figures: { votes: tally.votes, known: tally.known },
        found,
      });
  }
  const ordered = [...others].sort(
    ([a, { figures: one }], [b, { figures: other }]) => other.votes - one.votes || inOrder(a, b),
  );
  const names = ordered.length > 0 ? index.nearest() : null;
  const unmatched = ordered.map(([, { first, figures, found }], at): UnmatchedVotes => {
    const { type, campus, course, professor } = first;
    const named = 'reason' in found ? found : { reason: 'not-in-list' as const, entries: [] };
    const lookUp = named.entries.length === 0 && at < MOST_LOOKED_UP;
    const nearest = lookUp
      ? (names?.[type].find({ ...first, campus: campusOf(campus) ?? campus }) ?? [])
      : named.entries;
    return { type, campus, course, professor, ...figures, reason: named.reason, nearest };
  });
  return { of, unmatched };
}

function add(figures: VoteFigures, { votes, known }: VoteFigures): void {
  figures.votes += votes;
  figures.known += known;
}

/** Key of one thing that is not in the list. */
function choiceKey({ type, campus, course, professor, courseId, professorId }: Tally): string {
  const ids = hasIds({ courseId, professorId }) ? [courseId, professorId] : [];
  return [type, campusOf(campus) ?? campus, course, professor, ...ids].map(nameKey).join('\n');
}

function hasIds({ courseId, professorId }: { courseId: string; professorId: string }): boolean {
  return courseId !== '' && professorId !== '';
}

type Found = { entry: AwardEntry } | { reason: Unmatched; entries: readonly AwardEntry[] };

/** What is asked for: a choice, of one of the types. */
type Asked = Pick<Tally, 'type' | 'campus' | 'course' | 'professor' | 'courseId' | 'professorId'>;

class EntryIndex {
  readonly #entries: readonly AwardEntry[];
  readonly #byIds = new Map<string, AwardEntry[]>();
  readonly #byNames = new Map<string, AwardEntry[]>();

  constructor(entries: readonly AwardEntry[]) {
    this.#entries = entries;
    for (const entry of entries) {
      push(this.#byIds, idsKey(entry), entry);
      push(this.#byNames, namesKey(entry, entry.campus), entry);
    }
  }

  /** By course and professor ids where the survey has them, else by campus, course and professor. */
  find(asked: Asked): Found {
    const campus = campusOf(asked.campus);
    const called = hasIds(asked)
      ? (this.#byIds.get(idsKey(asked)) ?? []).filter((one) => campus === null || one.campus === campus)
      : (this.#byNames.get(namesKey(asked, campus ?? asked.campus)) ?? []);
    const fitting = called.filter(({ type }) => type === asked.type);
    const [entry] = fitting;
    if (entry && fitting.length === 1) return { entry };
    if (fitting.length > 1) return { reason: 'several', entries: fitting };
    return { reason: called.length > 0 ? 'other-type' : 'not-in-list', entries: called };
  }

  /** For each type, by likeness: a vote for a core course meant one. */
  nearest(): Record<CourseType, NearestNames<AwardEntry>> {
    const of = (wanted: CourseType) => new NearestNames(this.#entries.filter(({ type }) => type === wanted));
    return { elective: of('elective'), core: of('core') };
  }
}

function push<Entry>(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const there = map.get(key);
  if (there) there.push(entry);
  else map.set(key, [entry]);
}

function idsKey({ courseId, professorId }: Pick<Tally, 'courseId' | 'professorId'>): string {
  return `${nameKey(courseId)}\n${nameKey(professorId)}`;
}

function namesKey({ course, professor }: Pick<Tally, 'course' | 'professor'>, campus: string): string {
  return `${nameKey(campus)}\n${nameKey(course)}\n${nameKey(professor)}`;
}
