/** An export of the survey, a list, and arbitrary votes, for the award tests. */
import fc from 'fast-check';
import type { AwardEntry } from '../src/award-entries.ts';
import { responseColumns, type SurveyResponse } from '../src/award-responses.ts';
import type { Tally } from '../src/award-votes.ts';

const CHOICE = ['CourseName', 'Professor', 'Campus', 'TotalEnrolled', 'CourseId', 'ProfId'];

/**
 * The columns of an export, in the survey service's order: names, and the ids in the third row if they
 * differ.
 */
export const COLUMNS: readonly (readonly [string, string])[] = [
  ['StartDate', 'startDate'],
  ['EndDate', 'endDate'],
  ['Status', 'status'],
  ['Progress', 'progress'],
  ['Finished', 'finished'],
  ['RecordedDate', 'recordedDate'],
  ['ResponseId', '_recordId'],
  ['RecipientEmail', 'recipientEmail'],
  ['ExternalReference', 'externalDataReference'],
  ['DistributionChannel', 'distributionChannel'],
  ['CoreReason', 'QID3_TEXT'],
  ...['coreChoice', 'electiveChoice'].flatMap((kind) =>
    CHOICE.map((name): [string, string] => [kind + name, kind + name]),
  ),
];

/** Creates the three header rows of these columns. */
export function headerOf(columns: readonly (readonly [string, string])[], zone = 'Z'): string[][] {
  const id = (name: string) =>
    JSON.stringify(name.endsWith('Date') ? { ImportId: name, timeZone: zone } : { ImportId: name });
  return [
    columns.map(([name]) => name),
    columns.map(([name]) => `Wort ${name}`),
    columns.map(([, one]) => id(one)),
  ];
}

/** Creates a row of the export; fields that are not given are those of a finished vote. */
export function rowOf(
  given: Readonly<Record<string, string>>,
  columns: readonly (readonly [string, string])[] = COLUMNS,
): string[] {
  const usual: Record<string, string> = {
    Status: '0',
    Finished: '1',
    RecordedDate: '2026-03-10 12:00:00',
    DistributionChannel: 'email',
  };
  return columns.map(([name]) => given[name] ?? usual[name] ?? '');
}

/** Reads the columns of a valid export. */
export function columnsOf(header: readonly (readonly string[])[]) {
  const columns = responseColumns(header);
  if ('problem' in columns) throw new Error(columns.problem);
  return columns;
}

/** Creates an entry of the list. */
export function entry(given: Partial<AwardEntry> = {}): AwardEntry {
  return {
    campus: 'SGP',
    course: 'Corporate Finance',
    courseId: 'FIN101',
    enrolled: 80,
    professorId: 'P1',
    professor: 'Zoë Müller',
    type: 'core',
    ...given,
  };
}

/** Creates votes for the course in `entry`, without ids. */
export function tally(given: Partial<Tally> = {}): Tally {
  return {
    type: 'core',
    campus: 'SGP',
    course: 'Corporate Finance',
    professor: 'Zoë Müller',
    courseId: '',
    professorId: '',
    votes: 1,
    known: 1,
    ...given,
  };
}

/** Responses of a few voters at a few times, so that many of them coincide. */
export const responses: fc.Arbitrary<SurveyResponse[]> = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 0, max: 400 }).map((number) => `R_${number}`),
    status: fc.constantFrom(0, 0, 0, 4, 16, 1, 2, 8, 9, 12, 17, 32, 40, 48, 256, null),
    channel: fc.constantFrom('email', 'email', 'anonymous', 'preview', 'test', ''),
    finished: fc.boolean(),
    recordedAt: fc.option(fc.integer({ min: 0, max: 5 }), { freq: 9 }),
    reference: fc.constantFrom('', '', '1', '2', '3'),
    email: fc.constantFrom('', 'a@school.example', 'b@school.example', 'c@school.example'),
    core: fc.option(
      fc.record({
        course: fc.constantFrom('Corporate Finance', 'Valuation'),
        professor: fc.constantFrom('Zoë Müller', "Fiona O'Brien"),
        campus: fc.constantFrom('SGP', 'FBL'),
        courseId: fc.constant(''),
        professorId: fc.constant(''),
      }),
    ),
    elective: fc.constant(null),
  }),
  { selector: ({ id }) => id, maxLength: 40 },
);

const campus = fc.constantFrom('FBL' as const, 'SGP' as const, 'FBLSG' as const, 'ABD' as const);
const course = fc.constantFrom('Corporate Finance', 'corporate  finance', 'Valuation', 'Strategy');
const professor = fc.constantFrom('Zoë Müller', 'zoe muller', "Fiona O'Brien", 'Søren Jensen');
const type = fc.constantFrom('core' as const, 'elective' as const);
const id = fc.constantFrom('1', '2', '3');

/** Valid lists: no two rows have the same ids. */
export const lists: fc.Arbitrary<AwardEntry[]> = fc.uniqueArray(
  fc.record({
    campus,
    course,
    courseId: id,
    enrolled: fc.integer({ min: 0, max: 12 }),
    professorId: id,
    professor,
    type,
  }),
  { selector: (one) => [one.campus, one.courseId, one.professorId].join(), maxLength: 12 },
);

/** Votes, some of which match a list like this one. */
export const tallies: fc.Arbitrary<Tally[]> = fc.array(
  fc
    .record({
      type,
      campus: fc.oneof(campus, fc.constantFrom('', 'sgp ', 'S', 'Somewhere')),
      course: fc.oneof(course, fc.constantFrom('', 'Valuatoin')),
      professor,
      courseId: fc.constantFrom('', '1', '2', '9'),
      professorId: fc.constantFrom('', '1', '2', '9'),
      votes: fc.integer({ min: 1, max: 9 }),
      known: fc.nat(9),
    })
    .map((one) => ({ ...one, known: Math.min(one.known, one.votes) })),
  { maxLength: 15 },
);

/** Returns the same values in a different order. */
export function shuffled<Value>(values: readonly Value[], by: readonly number[]): Value[] {
  return values
    .map((value, at) => ({ value, key: by[at % Math.max(1, by.length)] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

/** Time limit for tests with a lot of work, generous for a busy machine. */
export const PATIENCE = 120_000;
