/**
 * Responses of the practice survey: valid votes, and all sorts that must not be counted or must be counted
 * only once. No response says which kind it is: the award tool has to find out.
 */

import type { NewResponse, SurveyResponse } from '../store/model.ts';
import { DAY, HOUR, MINUTE, WEEK } from '../store/time.ts';
import { AWARD_LIST, RETIRED, rollOfVoters } from './award-list.ts';
import { OPENING, PRACTICE } from './surveys.ts';
import { type Ballot, fieldsOf, HALF_WAY, type Voter, Voting } from './votes.ts';

const BOTH = 360;
const ONE_KIND = 20;
/** Time between two votes. */
const STEP = 95 * MINUTE;

/** Creates responses in the order in which they were recorded; those in progress come last. */
export function practiceResponses(): NewResponse[] {
  const voting = new Voting(PRACTICE, 20_261_009, rollOfVoters());
  const votes = votesOf(voting);
  const repeats = repeatVotes(voting, votes);
  const all = [
    ...votes.map(({ response }) => response),
    ...repeats,
    ...halfWay(voting, votes),
    ...triedOut(voting),
    ...namelessOf(voting),
    ...tooEarly(voting),
  ];
  all.sort((a, b) => (a.recorded ?? 0) - (b.recorded ?? 0) || (a.id < b.id ? -1 : 1));
  return [...all, ...inProgress(voting)];
}

type Vote = { voter: Voter; ballot: Ballot; response: NewResponse };

function votesOf(voting: Voting): Vote[] {
  return Array.from({ length: BOTH + ONE_KIND }, (_, nth) => {
    const voter = voting.voter();
    const chosen = voting.ballot(voter);
    const ballot =
      nth < BOTH ? chosen : nth % 2 === 0 ? { ...chosen, elective: null } : { ...chosen, core: null };
    const special = SPECIAL[nth];
    const response = voting.response(OPENING + 2 * HOUR + nth * STEP, voter, special?.ballot ?? ballot);
    return { voter, ballot, response: special ? special.change(response) : response };
  });
}

type Special = { ballot?: Ballot; change: (response: NewResponse) => NewResponse };

const row = (at: number) => AWARD_LIST[at] ?? RETIRED;
const coreOf = (professor: RegExp) =>
  AWARD_LIST.find((each) => each.type === 'Core' && professor.test(each.professor)) ?? RETIRED;
/** A professor with an accent. */
const both: Ballot = { core: coreOf(/[^ -~]/), elective: row(AWARD_LIST.length - 3) };
const withApostrophe: Ballot = { ...both, core: coreOf(/'/) };

/** Describes a response entered from paper: no IDs, and names as someone typed them. */
function typed(
  change: (name: string) => string,
  field = 'coreChoiceProfessor',
  ballot: Ballot = both,
): Special {
  return {
    ballot,
    change: (response) => {
      const { coreChoiceCourseId: _c, coreChoiceProfId: _p, ...embedded } = response.embedded;
      return {
        ...response,
        status: 4,
        embedded: { ...embedded, [field]: change(embedded[field] ?? '') },
      };
    },
  };
}

/** Special cases by the vote's position. */
const SPECIAL: Readonly<Record<number, Special>> = {
  30: typed((name) => name.toLowerCase(), 'coreChoiceCourseName'),
  31: typed((name) => ` ${name} `, 'coreChoiceProfessor', withApostrophe),
  32: typed((name) => name.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  33: typed((name) => name.replace(' ', '  ')),
  // Two names that match nothing: one with a missing letter, one with two letters swapped.
  34: typed((name) => name.slice(0, -1)),
  35: typed((name) => `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`),
  36: typed((name) => `=${name}`, 'coreChoiceCourseName'),
  // A choice that has since been removed from the list.
  50: {
    ballot: { core: row(1), elective: RETIRED },
    change: (response) => response,
  },
  // Filled in offline, and recorded later.
  60: { change: (response) => ({ ...response, status: 16, start: response.start - 3 * DAY }) },
  61: { change: (response) => ({ ...response, status: 16, start: response.start - 2 * DAY }) },
  // At that time, the list had a different number of enrolled students.
  70: {
    ballot: both,
    change: (response) => ({ ...response, embedded: { ...response.embedded, coreChoiceTotalEnrolled: '7' } }),
  },
  80: withReason('=HYPERLINK("http://198.51.100.7/","well done")'),
  81: withReason('Line one\nLine two, with "quotes"; and a comma, and 🎓\n'),
  82: withReason('@all +1 -1'),
};

function withReason(reason: string): Special {
  return {
    ballot: both,
    change: (response) => ({ ...response, answers: { ...response.answers, QID3: reason } }),
  };
}

/**
 * Creates earlier responses of people who vote again. For two of them, only the address shows that they are
 * the same person.
 */
function repeatVotes(voting: Voting, votes: Vote[]): NewResponse[] {
  return [110, 160, 210, 260, 310].map((nth, at) => {
    const vote = votes[nth] as Vote;
    const { recorded, start, reference, email } = vote.response;
    const other = voting.ballot(vote.voter);
    const before = (recorded ?? 0) - (40 + at) * HOUR;
    if (at < 3) {
      // This response started at the same time as the vote that counts, but finished earlier.
      if (at === 1) vote.response = { ...vote.response, start: before - 5 * HOUR };
      return voting.response(before, vote.voter, other, { reference });
    }
    vote.response = { ...vote.response, start, reference: '' };
    return voting.response(before, vote.voter, other, { reference: '', email: email.toUpperCase() });
  });
}

/**
 * Creates unfinished responses that still have a choice and all fields of the survey flow. Two are from
 * people who have also voted.
 */
function halfWay(voting: Voting, votes: Vote[]): NewResponse[] {
  return Array.from({ length: 15 }, (_, at) => {
    const voter = at < 2 ? (votes[20 + 60 * at] as Vote).voter : voting.voter();
    const ballot = { ...voting.ballot(voter), elective: null };
    const left = OPENING + 4 * DAY + at * 29 * HOUR;
    const response = voting.response(
      left + WEEK,
      voter,
      at % 3 === 2 ? { core: null, elective: null } : ballot,
    );
    return { ...response, ...HALF_WAY, end: left, start: left - HALF_WAY.duration * 1000 };
  });
}

/** Creates previews, tests, and spam. */
function triedOut(voting: Voting): NewResponse[] {
  const kinds: Pick<SurveyResponse, 'status' | 'channel'>[] = [
    ...Array.from({ length: 5 }, () => ({ status: 1, channel: 'preview' }) as const),
    { status: 9, channel: 'preview' },
    { status: 17, channel: 'preview' },
    // A preview that was exported and imported again; only the channel shows that it was one.
    { status: 4, channel: 'preview' },
    ...Array.from({ length: 6 }, () => ({ status: 2, channel: 'test' }) as const),
    { status: 8, channel: 'anonymous' },
    { status: 12, channel: 'anonymous' },
  ];
  return kinds.map((kind, at) => {
    const like = { core: row(at % 3), elective: row(AWARD_LIST.length - 1 - (at % 2)) };
    return voting.response(OPENING + 3 * HOUR + at * 17 * HOUR, null, like, kind);
  });
}

/** Creates votes through the anonymous link: the voters are unknown, so each vote counts. */
function namelessOf(voting: Voting): NewResponse[] {
  return [0, 1, 2].map((at) => voting.response(OPENING + 6 * DAY + at * 3 * MINUTE, null, both));
}

/** Creates votes by colleagues in the office, cast before the vote opened. */
function tooEarly(voting: Voting): NewResponse[] {
  return [5, 4, 3].map((days) => {
    const voter = voting.voter();
    return voting.response(OPENING - days * DAY, voter, voting.ballot(voter));
  });
}

/** Creates responses that are not recorded yet, which are only in exports of responses in progress. */
function inProgress(voting: Voting): NewResponse[] {
  return [0, 1, 2, 3].map((at) => {
    const voter = voting.voter();
    const ballot = { core: at % 2 === 0 ? row(at) : null, elective: null };
    const now = OPENING + 24 * DAY + at * HOUR;
    const response = voting.response(now, voter, ballot, { embedded: fieldsOf(ballot) });
    return { ...response, ...HALF_WAY, recorded: null };
  });
}
