/** Votes matched with the current list by the keys of OP-105; votes without a match are kept. Pure. */
import { type CourseType, campusOf } from './award-campuses.ts';
import type { AwardEntry } from './award-entries.ts';
import { NearestNames } from './award-nearest.ts';
import { inOrder, nameKey } from './award-text.ts';
import type { Tally } from './award-votes.ts';

/** `known`: votes of identified voters. */
export interface VoteFigures {
  votes: number;
  known: number;
}

/** Why votes match no entry. */
export const UNMATCHED = [
  /** Nothing in the list has this name. */
  'not-in-list',
  /** The list has this name, but as a course of the other type. */
  'other-type',
  /** Several entries have this name, and the survey has no ids. */
  'several',
] as const;
export type Unmatched = (typeof UNMATCHED)[number];

/** Votes for one choice that matches no entry, in the spelling that most voters used. */
export interface UnmatchedVotes extends VoteFigures {
  type: CourseType;
  campus: string;
  course: string;
  professor: string;
  reason: Unmatched;
  /** Entries that the voters may have meant: those that the choice names, or the most similar ones. */
  nearest: readonly AwardEntry[];
}

/** Every vote appears exactly once. */
export interface JoinedVotes {
  of: ReadonlyMap<AwardEntry, VoteFigures>;
  /** Most votes first. */
  unmatched: readonly UnmatchedVotes[];
}

/** Maximum number of choices that get suggestions: no one reads more, and made-up choices must not cost time. */
const MOST_LOOKED_UP = 5_000;

/** Matches the votes with the list. */
export function joinVotes(entries: readonly AwardEntry[], tallies: readonly Tally[]): JoinedVotes {
  const index = new EntryIndex(entries);
  const of = new Map<AwardEntry, VoteFigures>(entries.map((entry) => [entry, { votes: 0, known: 0 }]));
  const others = new Map<string, { first: Tally; figures: VoteFigures; found: Found }>();
  // The most frequent spelling represents all others with the same meaning.
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

/** Returns the key of a choice that is not in the list. */
function choiceKey({ type, campus, course, professor, courseId, professorId }: Tally): string {
  const ids = hasIds({ courseId, professorId }) ? [courseId, professorId] : [];
  return [type, campusOf(campus) ?? campus, course, professor, ...ids].map(nameKey).join('\n');
}

function hasIds({ courseId, professorId }: { courseId: string; professorId: string }): boolean {
  return courseId !== '' && professorId !== '';
}

type Found = { entry: AwardEntry } | { reason: Unmatched; entries: readonly AwardEntry[] };

/** The choice to find, of one of the types. */
type TallyKey = Pick<Tally, 'type' | 'campus' | 'course' | 'professor' | 'courseId' | 'professorId'>;

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

  /** Finds entries by course and professor ids if the survey has them, otherwise by campus, course and professor. */
  find(tallyKey: TallyKey): Found {
    const campus = campusOf(tallyKey.campus);
    const called = hasIds(tallyKey)
      ? (this.#byIds.get(idsKey(tallyKey)) ?? []).filter((one) => campus === null || one.campus === campus)
      : (this.#byNames.get(namesKey(tallyKey, campus ?? tallyKey.campus)) ?? []);
    const fitting = called.filter(({ type }) => type === tallyKey.type);
    const [entry] = fitting;
    if (entry && fitting.length === 1) return { entry };
    if (fitting.length > 1) return { reason: 'several', entries: fitting };
    return { reason: called.length > 0 ? 'other-type' : 'not-in-list', entries: called };
  }

  /** Searches by similarity within each type: a vote for a core course meant a core course. */
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
