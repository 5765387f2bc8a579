/** Responses as JSON (Qualtrics reference §7). */
import { expect, test } from 'vitest';
import { ANONYMISED, entryOf, useQualtrics } from './client.ts';

const qualtrics = useQualtrics();

type Response = {
  responseId: string;
  values: Record<string, string | number>;
  labels: Record<string, string>;
  displayedFields: string[];
  displayedValues: Record<string, number[]>;
};

async function responses(more: object = {}, survey?: string): Promise<Response[]> {
  const text = await qualtrics.text({ format: 'json', ...more }, survey);
  return (JSON.parse(text) as { responses: Response[] }).responses;
}

test('§7 values have numeric codes with labels beside them, and embedded data has its own name', async () => {
  const [first] = await responses();
  expect(first).toMatchObject({
    responseId: expect.stringMatching(/^R_[A-Za-z0-9]{15}$/),
    values: {
      startDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      recordedDate: expect.stringMatching(/\.\d{3}Z$/),
      status: 0,
      progress: 100,
      finished: 1,
      _recordId: first?.responseId,
      QID1: expect.any(Number),
      voterProgramme: 'MBA26',
    },
    labels: { status: 'IP Address', finished: 'True' },
    displayedFields: ['QID1', 'QID3_TEXT', 'QID2', 'QID4_TEXT'],
  });
  expect(first?.labels['QID1']).toBe(
    `${first?.values['coreChoiceCourseName']} – ${first?.values['coreChoiceProfessor']} (${first?.values['coreChoiceCampus']})`,
  );
  expect(first?.displayedValues['QID1']).toContain(first?.values['QID1']);
  expect(first).not.toHaveProperty('embeddedData');
});

test('§7 the JSON contains the same as the table', async () => {
  const rows = await qualtrics.rows();
  const all = await responses();
  expect(all.map(({ responseId }) => responseId)).toEqual(rows.map((row) => row['ResponseId']));
  for (const [at, { values }] of all.entries()) {
    expect(String(values['coreChoiceProfessor'] ?? '')).toBe(rows[at]?.['coreChoiceProfessor']);
    expect(String(values['QID3_TEXT'] ?? '')).toBe(rows[at]?.['CoreReason']);
    expect(String(values['externalDataReference'] ?? '')).toBe(rows[at]?.['ExternalReference']);
  }
  // Empty values are left out, and people who left halfway have not seen the second page.
  const half = all.find(({ values }) => values['finished'] === 0);
  expect(half?.displayedFields).toEqual(['QID1', 'QID3_TEXT']);
  expect(Object.values(half?.values ?? {})).not.toContain('');
});

test('§7 each line has one response', async () => {
  const { bytes } = await qualtrics.fetchExport({ format: 'ndjson' });
  const { name, text } = await entryOf(bytes);
  expect(name).toBe('Best Teaching Award 2026.ndjson');
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as Response)).toEqual(await responses());
});

test('columns can be chosen, and without a stored identity none is included', async () => {
  const [few] = await responses({ surveyMetadataIds: ['status'], questionIds: [], embeddedDataIds: [] });
  expect(few?.values).toEqual({ status: 0 });
  const [nobody] = await responses({}, ANONYMISED);
  expect(nobody?.values).not.toHaveProperty('externalDataReference');
  expect(nobody?.values).not.toHaveProperty('ipAddress');
});
