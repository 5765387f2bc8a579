/** Surveys of the practice account: the award's, variants of it for other cases, and one of another user. */

import { BASE_DATE } from '../../seed/school.ts';
import { uuidOf } from '../store/ids.ts';
import type { EmbeddedField, Question, Survey, SurveyResponse } from '../store/model.ts';
import { DAY, HOUR } from '../store/time.ts';
import { AWARD_LIST, type AwardRow, labelOf, RETIRED } from './award-list.ts';
import { HUGO, OWNER } from './users.ts';

/** When the vote opens: Monday 7 September 2026, 10:00 local time. */
export const OPENING = BASE_DATE + 6 * DAY;

export const PRACTICE = 'SV_bta2026practice';
/** How many responses the large survey has. */
export const MANY = 50_000;

function choicesOf(type: AwardRow['type']) {
  const rows = [...AWARD_LIST, RETIRED].filter((row) => row.type === type);
  return rows.map((row, at) => ({ id: at + 1, recode: row.row, text: labelOf(row) }));
}

const QUESTIONS: readonly Question[] = [
  {
    id: 'QID1',
    tag: 'CoreVote',
    text: 'Which professor of a <strong>core course</strong> do you vote for?',
    choices: choicesOf('Core'),
    page: 1,
  },
  {
    id: 'QID3',
    tag: 'CoreReason',
    text: 'What made the course <em>outstanding</em>?',
    choices: null,
    page: 1,
  },
  {
    id: 'QID2',
    tag: 'ElectiveVote',
    text: 'Which professor of an <strong>elective</strong> do you vote for?',
    choices: choicesOf('Elective'),
    page: 2,
  },
  {
    id: 'QID4',
    tag: 'ElectiveReason',
    text: 'What made the elective <em>outstanding</em>?',
    choices: null,
    page: 2,
  },
];

const OF_VOTER: readonly EmbeddedField[] = [{ name: 'voterCampus' }, { name: 'voterProgramme' }];
const OF_CHOICE: readonly EmbeddedField[] = ['core', 'elective'].flatMap((kind) =>
  ['CourseName', 'Professor', 'Campus', 'TotalEnrolled'].map((what) => ({ name: `${kind}Choice${what}` })),
);
const IDS: readonly EmbeddedField[] = ['core', 'elective'].flatMap((kind) =>
  ['CourseId', 'ProfId'].map((what) => ({ name: `${kind}Choice${what}` })),
);

const AWARD: Omit<Survey, 'id' | 'name'> = {
  ownerId: OWNER.id,
  sharedWith: [],
  isActive: true,
  createdAt: BASE_DATE - 20 * DAY,
  modifiedAt: BASE_DATE - DAY + HOUR,
  opensAt: BASE_DATE,
  questions: QUESTIONS,
  embedded: [...OF_VOTER, ...OF_CHOICE, ...IDS],
  anonymised: false,
};

export const SURVEYS: readonly Survey[] = [
  { ...AWARD, id: PRACTICE, name: 'Best Teaching Award 2026' },
  { ...AWARD, id: 'SV_bta2026large', name: 'Best Teaching Award 2026 (large)', generated: MANY },
  // The survey of an office that promises anonymity: its responses contain no IDs.
  {
    ...AWARD,
    id: 'SV_bta2026noname',
    name: 'Best Teaching Award 2026 (anonymised)',
    embedded: [...OF_VOTER, ...OF_CHOICE],
    anonymised: true,
    alsoOf: PRACTICE,
  },
  { ...AWARD, id: 'SV_bta2027draft', name: 'Best Teaching Award 2027', isActive: false, opensAt: null },
  {
    ...AWARD,
    id: 'SV_deansoffice1',
    name: 'Dean’s office: lunch',
    ownerId: HUGO.id,
    questions: [{ id: 'QID1', tag: 'Q1', text: 'What shall we eat?', choices: null, page: 1 }],
    embedded: [],
  },
];

/** Saved filters, identical for every survey. */
export const FILTERS: readonly {
  filterId: string;
  filterName: string;
  takes: (response: SurveyResponse) => boolean;
}[] = [
  {
    filterId: uuidOf('filter finished'),
    filterName: 'Finished responses',
    takes: ({ finished }) => finished,
  },
];
