/** The exported table (Qualtrics reference §6, §8). */
import { expect, test } from 'vitest';
import { ANONYMISED, DRAFT, headersIn, LARGE, rowsIn, useQualtrics } from './client.ts';

const qualtrics = useQualtrics();
const csv = (more: object = {}) => ({ format: 'csv', ...more });

test('§6 the table has no byte order mark, CRLF after each record, and bare LF inside cells', async () => {
  const text = await qualtrics.text(csv());
  expect(text.startsWith('StartDate,EndDate,Status,')).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
  const rows = rowsIn(text);
  // Lines that end with LF alone are inside quotes.
  expect(text.split('\r\n').length).toBe(3 + rows.length + 1);
  expect(rows.some((row) => row['CoreReason']?.includes('\n'))).toBe(true);
  expect(text).not.toMatch(/\r(?!\n)/);
});

test('§6 the table has three header rows: names, texts in the account’s language, and import ids', async () => {
  const [names = [], words = [], imports = []] = headersIn(await qualtrics.text(csv()));
  expect(names.slice(0, 17)).toEqual([
    'StartDate',
    'EndDate',
    'Status',
    'IPAddress',
    'Progress',
    'Duration (in seconds)',
    'Finished',
    'RecordedDate',
    'ResponseId',
    'RecipientLastName',
    'RecipientFirstName',
    'RecipientEmail',
    'ExternalReference',
    'LocationLatitude',
    'LocationLongitude',
    'DistributionChannel',
    'UserLanguage',
  ]);
  expect(names.slice(17, 23)).toEqual([
    'CoreVote',
    'CoreReason',
    'ElectiveVote',
    'ElectiveReason',
    'voterCampus',
    'voterProgramme',
  ]);
  expect(imports.slice(7, 9)).toEqual([
    '{"ImportId":"recordedDate","timeZone":"Z"}',
    '{"ImportId":"_recordId"}',
  ]);
  expect(imports.slice(17, 19)).toEqual(['{"ImportId":"QID1"}', '{"ImportId":"QID3_TEXT"}']);
  expect(imports[22]).toBe('{"ImportId":"voterProgramme"}');
  expect([words[2], words[17], words[22]]).toEqual([
    'Response Type',
    'Which professor of a core course do you vote for?',
    'voterProgramme',
  ]);
  await qualtrics.set({ language: 'DE' });
  const german = headersIn(await qualtrics.text(csv()));
  expect(german[0]).toEqual(names);
  expect(german[1]?.[2]).toBe('Antworttyp');
  expect(german[2]).toEqual(imports);
});

test('§6 cells have recodes, or labels, or both side by side', async () => {
  const [recode] = await qualtrics.rows();
  expect(recode).toMatchObject({ Status: '0', Finished: '1', CoreVote: expect.stringMatching(/^\d+$/) });
  const [label] = await qualtrics.rows({ useLabels: true });
  expect(label).toMatchObject({
    Status: 'IP Address',
    Finished: 'True',
    CoreVote: `${label?.['coreChoiceCourseName']} – ${label?.['coreChoiceProfessor']} (${label?.['coreChoiceCampus']})`,
  });
  const text = await qualtrics.text(csv({ includeLabelColumns: true }));
  const [names = [], , imports = []] = headersIn(text);
  const labels = imports.flatMap((json, at) =>
    (JSON.parse(json) as { isLabelsColumn?: boolean }).isLabelsColumn ? [at] : [],
  );
  expect(labels).toHaveLength(4);
  const [both] = rowsIn(text);
  expect(both?.['CoreVote']).toBe(recode?.['CoreVote']);
  expect(labels.map((at) => both?.[names[at] ?? ''])).toContain(label?.['CoreVote']);
});

test('§8 previews, tests, spam, imported and automatically closed responses are all in the export', async () => {
  const rows = await qualtrics.rows({ useLabels: true });
  const kinds = new Map<string, number>();
  for (const row of rows) kinds.set(row['Status'] ?? '', (kinds.get(row['Status'] ?? '') ?? 0) + 1);
  expect(Object.fromEntries(kinds)).toEqual({
    'IP Address': 397,
    'Survey Preview': 5,
    'Survey Preview Spam': 1,
    'Offline Survey Preview': 1,
    'Survey Test': 6,
    Imported: 8,
    Spam: 1,
    'Imported Spam': 1,
    Offline: 2,
  });
  const unfinished = rows.filter((row) => row['Finished'] === 'False');
  expect(unfinished).toHaveLength(15);
  for (const row of unfinished) {
    expect(Number(row['Progress'])).toBeLessThan(100);
    // Recorded automatically, a week after the person left.
    const days = (Date.parse(row['RecordedDate'] ?? '') - Date.parse(row['EndDate'] ?? '')) / 86_400_000;
    expect(days).toBe(7);
  }
});

test('§4, §6 rows are sorted by time of recording; a window includes its start but not its end', async () => {
  const rows = await qualtrics.rows();
  const times = rows.map((row) => row['RecordedDate'] ?? '');
  expect(times).toEqual([...times].sort());
  const [from, to] = [times[100], times[200]] as [string, string];
  const zoned = (time: string) => `${time.replace(' ', 'T')}Z`;
  const some = await qualtrics.rows({ startDate: zoned(from), endDate: zoned(to) });
  expect(some.map((row) => row['RecordedDate'])).toEqual(times.filter((time) => time >= from && time < to));
  const offset = `${new Date(Date.parse(zoned(from)) + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`;
  expect((await qualtrics.rows({ startDate: offset }))[0]?.['RecordedDate']).toBe(from);
  expect((await qualtrics.rows({ limit: 7 })).map((row) => row['RecordedDate'])).toEqual(times.slice(0, 7));
});

test('§4 the table has only the named columns; an empty list means none of that kind', async () => {
  const names = async (more: object) => headersIn(await qualtrics.text(csv(more)))[0];
  expect(
    await names({
      surveyMetadataIds: ['_recordId', 'status'],
      questionIds: [],
      embeddedDataIds: ['coreChoiceCourseName'],
    }),
  ).toEqual(['Status', 'ResponseId', 'coreChoiceCourseName']);
  expect(await names({ surveyMetadataIds: [], embeddedDataIds: [], questionIds: ['QID2', 'QID4'] })).toEqual([
    'ElectiveVote',
    'ElectiveReason',
  ]);
});

test('§4 times are in the requested zone, which the header names', async () => {
  const more = { timeZone: 'Asia/Singapore', limit: 1 };
  const [utc] = await qualtrics.rows({ limit: 1 });
  const text = await qualtrics.text(csv(more));
  expect(headersIn(text)[2]?.[0]).toBe('{"ImportId":"startDate","timeZone":"Asia/Singapore"}');
  const local = rowsIn(text)[0]?.['RecordedDate'] ?? '';
  expect(local).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(Date.parse(local) - Date.parse(utc?.['RecordedDate'] ?? '')).toBe(8 * 3_600_000);
});

test('§4 questions seen but not answered can be marked, and decimal commas and other line endings chosen', async () => {
  const rows = await qualtrics.rows({
    seenUnansweredRecode: -99,
    formatDecimalAsComma: true,
    newlineReplacement: ' / ',
  });
  const votesOfOneKind = rows.filter((row) => row['Finished'] === '1' && row['ElectiveVote'] === '-99');
  expect(votesOfOneKind.length).toBeGreaterThan(0);
  for (const row of rows.filter((each) => each['Finished'] === '0')) {
    expect(row['ElectiveVote']).toBe('');
    expect(row['CoreVote']).not.toBe('');
  }
  expect(rows[0]?.['LocationLatitude']).toMatch(/^\d+,\d+$/);
  expect(rows.some((row) => row['CoreReason']?.includes('\n'))).toBe(false);
  expect(rows.some((row) => row['CoreReason']?.includes(' / '))).toBe(true);
});

test('§4 responses in progress are exported separately, without a time of recording', async () => {
  const rows = await qualtrics.rows({ exportResponsesInProgress: true });
  expect(rows).toHaveLength(4);
  expect(rows.every((row) => row['RecordedDate'] === '' && row['Finished'] === '0')).toBe(true);
});

test('§4 rows can be sorted by their last change, with a column for it', async () => {
  const rows = await qualtrics.rows({ sortByLastModifiedDate: true });
  const times = rows.map((row) => row['LastModifiedDate'] ?? '');
  expect(times).toHaveLength(422);
  expect(times).toEqual([...times].sort());
});

test('§6 an anonymised survey has no columns with the identity or location of voters', async () => {
  const [names = []] = headersIn(await qualtrics.text(csv(), ANONYMISED));
  for (const gone of ['IPAddress', 'RecipientEmail', 'ExternalReference', 'LocationLatitude'])
    expect(names).not.toContain(gone);
  expect(names).toContain('DistributionChannel');
  // Naming these columns is not an error.
  const asked = csv({ surveyMetadataIds: ['status', 'externalDataReference'], questionIds: [] });
  expect(headersIn(await qualtrics.text(asked, ANONYMISED))[0]?.[0]).toBe('Status');
  // Naming unknown columns is an error here as well.
  const unknown = csv({ surveyMetadataIds: ['status', 'Status'] });
  expect((await qualtrics.start(unknown, ANONYMISED)).status).toBe(400);
});

test('§6 without responses the table has only the three header rows', async () => {
  const text = await qualtrics.text(csv(), DRAFT);
  expect(headersIn(text)).toHaveLength(3);
  expect(rowsIn(text)).toEqual([]);
});

test('the table can have tabs instead of commas', async () => {
  const text = await qualtrics.text({ format: 'tsv' });
  expect(text.startsWith('StartDate\tEndDate\t')).toBe(true);
  expect(rowsIn(text, '\t')).toHaveLength(422);
});

test('50,000 responses can be generated, and are identical each time', async () => {
  const few = {
    surveyMetadataIds: ['finished', '_recordId', 'externalDataReference', 'distributionChannel'],
    questionIds: [],
    embeddedDataIds: [],
  };
  const rows = await qualtrics.rows(few, LARGE);
  const different = (name: string) => new Set(rows.map((row) => row[name])).size;
  expect([rows.length, different('ResponseId')]).toEqual([50_000, 50_000]);
  expect(different('ExternalReference')).toBeLessThan(49_000);
  expect(rows.filter((row) => row['Finished'] === '0').length).toBeGreaterThan(100);
  expect(rows.filter((row) => row['DistributionChannel'] === 'preview').length).toBeGreaterThan(100);
  expect(await qualtrics.rows({ ...few, limit: 3 }, LARGE)).toEqual(rows.slice(0, 3));
});
