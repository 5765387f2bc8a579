/** Which responses of the survey are votes, and how many each choice has (OP-105). Pure; its memory grows with the voters. */
import type { CourseType } from './award-campuses.ts';
import type { Choice, SurveyResponse } from './award-responses.ts';
import { inOrder } from './award-text.ts';

/** Why a response is left out; each has one reason, the first that fits. */
export const LEFT_OUT = [
  /** Without an id or the moment when it was recorded, or with cells that are too few or too many. */
  'unreadable',
  /** A preview of anyone who made the survey. */
  'preview',
  /** Made up by the survey service. */
  'test',
  'spam',
  /** Of a status that is no vote, or unknown. */
  'status',
  /** Left half-way. */
  'unfinished',
  /** Recorded before the vote was open. */
  'early',
  /** The same voter has a later one. */
  'replaced',
] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

const PREVIEWS = new Set([1, 9, 17]);
const SPAM = new Set([8, 12, 40]);
const VOTES = new Set([0, 4, 16]);

/** A choice and how often it was made. */
export interface Tally extends Choice {
  type: CourseType;
  votes: number;
  /** Of them, those of voters that can be told apart. */
  known: number;
}

/** What became of all responses: `total` is `responses` and everything left out. */
export interface CountedVotes {
  total: number;
  /** Voters that count: 'Responses: N'. */
  responses: number;
  leftOut: Readonly<Record<LeftOut, number>>;
  /** Of the responses that count, those of which no one can tell whose they are. */
  anonymous: number;
  /** Of the responses that count, those without any choice. */
  blank: number;
  /** In an order of their own, whichever the responses had. */
  tallies: readonly Tally[];
}

/** A choice of one of the types; one object for all who made it, so that a voter takes little memory. */
interface Chosen extends Choice {
  type: CourseType;
}

/** All that is kept of a response. */
interface Ballot {
  id: string;
  recordedAt: number;
  known: boolean;
  core: Chosen | null;
  elective: Chosen | null;
}

/** Counts the responses of one export, in any order. */
export class VoteCounter {
  readonly #opensAt: number | null;
  readonly #leftOut = noneLeftOut();
  /** The latest of each reference, of each email that came without one, and each anonymous one. */
  readonly #latest = new Map<string, Ballot>();
  /** Whose reference came with an email; null where several did, so that it tells no one. */
  readonly #owners = new Map<string, string | null>();
  readonly #choices = new Map<string, Chosen>();
  #total = 0;

  /** @param opensAt when the vote opens, in milliseconds since 1970; null: it always was open */
  constructor(opensAt: number | null) {
    this.#opensAt = opensAt;
  }

  /** Takes a response. */
  add(response: SurveyResponse): void {
    this.#total++;
    const reason = this.#reason(response);
    if (reason !== null) {
      this.#leftOut[reason]++;
      return;
    }
    const { id, reference, email, core, elective } = response;
    const voter = voterOf(response);
    if (reference !== '' && email !== '') {
      const owner = this.#owners.get(email);
      this.#owners.set(email, owner === undefined || owner === voter ? voter : null);
    }
    const other = this.#latest.get(voter);
    if (other) this.#leftOut.replaced++;
    const ballot: Ballot = {
      id,
      recordedAt: response.recordedAt ?? 0,
      known: reference !== '' || email !== '',
      core: core && this.#chosen('core', core),
      elective: elective && this.#chosen('elective', elective),
    };
    if (other === undefined || isLater(ballot, other)) this.#latest.set(voter, ballot);
  }

  #chosen(type: CourseType, choice: Choice): Chosen {
    const { campus, course, professor, courseId, professorId } = choice;
    // No text of a response has a line break left.
    const key = `${type}\n${campus}\n${course}\n${professor}\n${courseId}\n${professorId}`;
    let chosen = this.#choices.get(key);
    if (chosen === undefined) this.#choices.set(key, (chosen = { ...choice, type }));
    return chosen;
  }

  #reason({ status, channel, id, recordedAt, finished }: SurveyResponse): LeftOut | null {
    if (id === '' || recordedAt === null) return 'unreadable';
    if (channel === 'preview' || PREVIEWS.has(status ?? -1)) return 'preview';
    if (channel === 'test' || status === 2) return 'test';
    if (SPAM.has(status ?? -1)) return 'spam';
    if (!VOTES.has(status ?? -1)) return 'status';
    if (!finished) return 'unfinished';
    return this.#opensAt !== null && recordedAt < this.#opensAt ? 'early' : null;
  }

  /** The latest of each person: a response with the email alone is of anyone who has the reference that came with this email. */
  #voters(): { latest: ReadonlyMap<string, Ballot>; joined: number } {
    const latest = new Map(this.#latest);
    let joined = 0;
    for (const [email, owner] of this.#owners) {
      const key = voterOf({ id: '', reference: '', email });
      const [lone, own] = [latest.get(key), owner === null ? undefined : latest.get(owner)];
      if (owner === null || lone === undefined || own === undefined) continue;
      joined++;
      latest.delete(key);
      if (isLater(lone, own)) latest.set(owner, lone);
    }
    return { latest, joined };
  }

  /** What has been counted so far. */
  result(): CountedVotes {
    const { latest, joined } = this.#voters();
    const tallies = new Map<Chosen, Tally>();
    let [anonymous, blank] = [0, 0];
    for (const { known, core, elective } of latest.values()) {
      if (!known) anonymous++;
      if (core === null && elective === null) blank++;
      for (const chosen of [core, elective]) if (chosen !== null) count(tallies, chosen, known);
    }
    const ordered = [...this.#choices].sort(([a], [b]) => inOrder(a, b));
    return {
      total: this.#total,
      responses: latest.size,
      leftOut: { ...this.#leftOut, replaced: this.#leftOut.replaced + joined },
      anonymous,
      blank,
      tallies: ordered.flatMap(([, chosen]) => tallies.get(chosen) ?? []),
    };
  }
}

/** Marked, so that no reference is taken for someone's email. */
function voterOf({ id, reference, email }: Pick<SurveyResponse, 'id' | 'reference' | 'email'>): string {
  if (reference !== '') return `r:${reference}`;
  return email === '' ? `i:${id}` : `e:${email}`;
}

function noneLeftOut(): Record<LeftOut, number> {
  return Object.fromEntries(LEFT_OUT.map((reason) => [reason, 0])) as Record<LeftOut, number>;
}

/** Of two that were recorded in the same second the ids decide: the order of the rows is the service's own affair. */
function isLater(one: Ballot, other: Ballot): boolean {
  const later = one.recordedAt - other.recordedAt;
  return later > 0 || (later === 0 && one.id > other.id);
}

function count(tallies: Map<Chosen, Tally>, chosen: Chosen, known: boolean): void {
  let tally = tallies.get(chosen);
  if (tally === undefined) tallies.set(chosen, (tally = { ...chosen, votes: 0, known: 0 }));
  tally.votes++;
  if (known) tally.known++;
}
