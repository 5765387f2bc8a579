/** Parts of a response to the award's survey, used by the seeds of its surveys. */

import type { RolledPerson } from '../../seed/people.ts';
import { Chance } from '../../seed/prng.ts';
import { CAMPUSES, type Campus, DOMAIN } from '../../seed/school.ts';
import { idOf } from '../store/ids.ts';
import type { NewResponse } from '../store/model.ts';
import { MINUTE, SECOND } from '../store/time.ts';
import { AWARD_LIST, type AwardRow, RETIRED } from './award-list.ts';
import { SURVEYS } from './surveys.ts';

export type Voter = RolledPerson & { campus: Campus; nth: number };

export type Ballot = { core: AwardRow | null; elective: AwardRow | null };

const REASONS = [
  'Clear, demanding and fair.',
  'The cases were from last month, not from last century.',
  'She answered every question, also the late ones.',
  'I finally understand the subject, thank you!',
  'Great energy; less slides than anybody else',
  'Très bon cours, très bons exemples.',
  'First: the simulation.\nSecond: the "war room" on day 3.',
  'Practical, well structured, good humour',
];

const coreOf = (campus: Campus) => AWARD_LIST.filter((row) => row.type === 'Core' && row.campus === campus);
const CORE: Readonly<Record<Campus, readonly AwardRow[]>> = {
  FBL: coreOf('FBL'),
  SGP: coreOf('SGP'),
  ABD: coreOf('ABD'),
};
const ELECTIVES = AWARD_LIST.filter(({ type }) => type === 'Elective');

export class Voting {
  readonly chance: Chance;
  readonly #surveyId: string;
  readonly #roll: () => RolledPerson;
  #count = 0;
  #voters = 0;

  constructor(surveyId: string, seed: number, roll: () => RolledPerson) {
    this.#surveyId = surveyId;
    this.chance = new Chance(seed);
    this.#roll = roll;
  }

  voter(): Voter {
    const nth = this.#voters++;
    return { ...this.#roll(), campus: CAMPUSES[nth % CAMPUSES.length] as Campus, nth };
  }

  /**
   * Creates a ballot with one core course at the voter's campus and any elective; the first entries in a list
   * are the most popular.
   */
  ballot({ campus }: Voter): Ballot {
    return { core: this.#like(CORE[campus]), elective: this.#like(ELECTIVES) };
  }

  /** Creates a contact's finished response, recorded at the given time. */
  response(
    recorded: number,
    voter: Voter | null,
    ballot: Ballot,
    more: Partial<NewResponse> = {},
  ): NewResponse {
    const { chance } = this;
    const duration = chance.between(35, 900);
    const end = recorded - chance.between(0, 2) * SECOND;
    const nth = ++this.#count;
    const ip = `198.51.100.${chance.between(1, 254)}`;
    return {
      id: idOf('R', `${this.#surveyId} ${nth}`),
      surveyId: this.#surveyId,
      addedAt: recorded,
      start: end - duration * SECOND,
      end,
      recorded,
      modified: recorded,
      status: 0,
      ip,
      progress: 100,
      duration,
      finished: true,
      lastName: voter?.last ?? '',
      firstName: voter?.first ?? '',
      email: voter ? `${voter.login}@${DOMAIN}` : '',
      reference: voter ? `P${String(voter.id).padStart(7, '0')}` : '',
      ...placeOf(voter?.campus ?? 'FBL'),
      channel: voter ? (voter.nth % 11 === 0 ? 'email' : 'gl') : 'anonymous',
      language: voter && voter.nth % 7 === 0 ? 'FR' : 'EN',
      answers: this.#answersTo(ballot),
      embedded: Object.assign(fieldsOfVoter(voter), fieldsOf(ballot)),
      ...more,
    };
  }

  #like(rows: readonly AwardRow[]): AwardRow {
    const at = Math.floor(this.chance.next() ** 1.4 * rows.length);
    return rows[at] as AwardRow;
  }

  #answersTo(ballot: Ballot): Record<string, number | string> {
    const reason = () => (this.chance.chance(0.3) ? this.chance.pick(REASONS) : '');
    const answers: Record<string, number | string> = {};
    for (const [row, vote, why] of [
      [ballot.core, 'QID1', 'QID3'],
      [ballot.elective, 'QID2', 'QID4'],
    ] as const) {
      if (!row) continue;
      answers[vote] = choiceIdOf(vote, row);
      const text = reason();
      if (text !== '') answers[why] = text;
    }
    return answers;
  }
}

/** Returns the fields that the survey flow fills in for the chosen entries. */
export function fieldsOf({ core, elective }: Ballot): Record<string, string> {
  return Object.assign({}, core && FIELDS.Core.get(core), elective && FIELDS.Elective.get(elective));
}

/** Fields by row; cached, because a large survey needs them a hundred thousand times. */
const FIELDS = { Core: fieldsOfRows('Core'), Elective: fieldsOfRows('Elective') };

function fieldsOfRows(type: AwardRow['type']): Map<AwardRow, Record<string, string>> {
  const rows = [...AWARD_LIST, RETIRED].filter((row) => row.type === type);
  return new Map(rows.map((row) => [row, fieldsOfRow(type === 'Core' ? 'core' : 'elective', row)]));
}

function fieldsOfRow(kind: 'core' | 'elective', row: AwardRow): Record<string, string> {
  return {
    [`${kind}ChoiceCourseName`]: row.course,
    [`${kind}ChoiceProfessor`]: row.professor,
    [`${kind}ChoiceCampus`]: row.campus,
    [`${kind}ChoiceTotalEnrolled`]: String(row.enrolled),
    [`${kind}ChoiceCourseId`]: row.courseId,
    [`${kind}ChoiceProfId`]: row.professorId,
  };
}

function fieldsOfVoter(voter: Voter | null): Record<string, string> {
  return voter ? { voterCampus: voter.campus, voterProgramme: 'MBA26' } : {};
}

const CHOICE_IDS = new Map(
  (SURVEYS[0]?.questions ?? []).flatMap(({ id, choices }) =>
    (choices ?? []).map((choice) => [`${id} ${choice.recode}`, choice.id] as const),
  ),
);

/** Finds the row of the list behind a choice, or returns null if there is none. */
export function rowOfChoice(question: string, choiceId: number): AwardRow | null {
  return (
    [...AWARD_LIST, RETIRED].find((row) => CHOICE_IDS.get(`${question} ${row.row}`) === choiceId) ?? null
  );
}

function choiceIdOf(question: string, { row }: AwardRow): number {
  return CHOICE_IDS.get(`${question} ${row}`) as number;
}

const PLACES: Readonly<Record<Campus, readonly [string, string]>> = {
  FBL: ['48.4047', '2.7016'],
  SGP: ['1.2996', '103.7866'],
  ABD: ['24.4961', '54.3998'],
};

function placeOf(campus: Campus): { latitude: string; longitude: string } {
  const [latitude, longitude] = PLACES[campus];
  return { latitude, longitude };
}

/** Abandoned halfway: the first page was answered, and the response was recorded a week later. */
export const HALF_WAY = { finished: false, progress: 50, duration: 3 * (MINUTE / SECOND) } as const;
