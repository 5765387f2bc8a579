/** The list of surveys, and a single survey (Qualtrics reference §3). */
import { expect, test } from 'vitest';
import { DRAFT, GUEST, type Json, SURVEY, useQualtrics } from './client.ts';

const qualtrics = useQualtrics();

test('§3 lists the surveys that the user can see, in pages on request', async () => {
  const { result } = await qualtrics.call('GET', '/surveys');
  const elements = result['elements'] as Json[];
  expect(result['nextPage']).toBeNull();
  expect(elements.map(({ id }) => id)).toContain(SURVEY);
  expect(elements.every(({ id }) => /^SV_[A-Za-z0-9]{11,15}$/.test(String(id)))).toBe(true);
  expect(elements.find(({ id }) => id === DRAFT)).toEqual({
    id: DRAFT,
    name: 'Best Teaching Award 2027',
    ownerId: expect.stringMatching(/^UR_/),
    lastModified: '2026-08-31T09:00:00Z',
    creationDate: '2026-08-12T08:00:00Z',
    isActive: false,
  });
  const first = await qualtrics.call('GET', '/surveys?pageSize=3');
  expect(first.result['elements']).toHaveLength(3);
  const next = await fetch(String(first.result['nextPage']), { headers: GUEST });
  expect(next.status).toBe(200);
  const second = await qualtrics.call('GET', '/surveys?pageSize=3&offset=3');
  expect(second.result['elements']).toHaveLength(elements.length - 3);
  const guest = await qualtrics.call('GET', '/surveys', undefined, GUEST);
  expect(guest.result['elements']).toHaveLength(1);
});

test('§3, §10 the metadata has drop-down lists with recodes, embedded data, export tags, and counts that are not votes', async () => {
  const { result } = await qualtrics.call('GET', `/surveys/${SURVEY}`);
  expect(result).toMatchObject({
    id: SURVEY,
    name: 'Best Teaching Award 2026',
    isActive: true,
    expiration: { endDate: null },
    exportColumnMap: { CoreVote: { question: 'QID1' }, ElectiveVote: { question: 'QID2' } },
    responseCounts: { auditable: 408, generated: 14, deleted: 0 },
  });
  const questions = result['questions'] as Record<string, Json>;
  expect(Object.keys(questions)).toEqual(['QID1', 'QID3', 'QID2', 'QID4']);
  expect(questions['QID1']).toMatchObject({
    questionType: { type: 'MC', selector: 'DL', subSelector: 'TX' },
    questionName: 'CoreVote',
    questionText: expect.stringContaining('<strong>'),
    validation: { doesForceResponse: false },
  });
  const choices = questions['QID2']?.['choices'] as Record<string, Json>;
  // The recode is the row in the list; the position among the choices is not.
  expect(choices['1']?.['recode']).not.toBe('1');
  expect(choices['1']?.['choiceText']).toMatch(/^.+ – .+ \((FBL|SGP|ABD|FBLSG)\)$/);
  expect(questions['QID3']?.['choices']).toBeUndefined();
  const names = (result['embeddedData'] as Json[]).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['voterCampus', 'coreChoiceTotalEnrolled', 'electiveChoiceProfId']),
  );
});

test('§3 the definition has the same contents under other names', async () => {
  const { result } = await qualtrics.call('GET', `/survey-definitions/${SURVEY}`);
  expect(result).toMatchObject({
    SurveyID: SURVEY,
    SurveyName: 'Best Teaching Award 2026',
    SurveyStatus: 'Active',
    BrandID: 'northbridge',
    Questions: { QID1: { DataExportTag: 'CoreVote', QuestionType: 'MC', Selector: 'DL' } },
    SurveyFlow: { Type: 'Root' },
  });
  const { Flow } = result['SurveyFlow'] as { Flow: { Type: string; EmbeddedData?: Json[] }[] };
  expect(Flow[0]?.Type).toBe('EmbeddedData');
  expect(Flow[0]?.EmbeddedData?.map(({ Field }) => Field)).toContain('coreChoiceProfessor');
});

test('§4 a survey’s saved filters are listed', async () => {
  const { result } = await qualtrics.call('GET', `/surveys/${SURVEY}/filters`);
  expect(result['elements']).toEqual([
    {
      filterId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filterName: 'Finished responses',
      creationDate: '2026-08-12T08:00:00Z',
    },
  ]);
});
