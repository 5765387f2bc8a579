import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXPORT_HEADER_ROWS, readResponse, responseColumns } from '../src/award-responses.ts';
import { nameKey } from '../src/award-text.ts';
import { COLUMNS, columnsOf, headerOf, rowOf, shuffled } from './award-fixtures.ts';

const header = headerOf(COLUMNS);
const read = (given: Record<string, string>) => readResponse(rowOf(given), columnsOf(header));

const without = (...names: string[]) => COLUMNS.filter(([name]) => !names.includes(name));

describe('the header of an export', () => {
  test('OP-105 has three rows, the third of which identifies the columns, whatever the other two say', () => {
    expect(header).toHaveLength(EXPORT_HEADER_ROWS);
    const renamed = [header[0]?.map((_, at) => `Q${at}`), header[1], header[2]].map((row) => row ?? []);
    const response = readResponse(rowOf({ ResponseId: 'R_1' }), columnsOf(renamed));
    expect(response).toMatchObject({ id: 'R_1', status: 0, finished: true });
  });

  test('BTA-26 can have its columns in any order, with others between them', () => {
    const given = { ResponseId: 'R_1', coreChoiceProfessor: 'Zoë Müller', electiveChoiceCampus: 'SGP' };
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 5, maxLength: 30 }), (by) => {
        const columns = shuffled([...COLUMNS, ['Topics', 'QID3_TEXT_ab'] as const], by);
        expect(readResponse(rowOf(given, columns), columnsOf(headerOf(columns)))).toEqual(read(given));
      }),
    );
  });

  test("OP-105 of an anonymous survey has no voter columns, and the id columns are LMS Admin's own additions", () => {
    const columns = without(
      'RecipientEmail',
      'ExternalReference',
      'DistributionChannel',
      'coreChoiceCourseId',
    );
    const response = readResponse(rowOf({ ResponseId: 'R_1' }, columns), columnsOf(headerOf(columns)));
    expect(response).toMatchObject({ reference: '', email: '', channel: '', core: null });
  });

  test('BTA-26 can have only one kind of choice', () => {
    const columns = COLUMNS.filter(([name]) => !name.startsWith('core'));
    expect(columnsOf(headerOf(columns)).core).toBeNull();
  });

  test('of a file other than the award’s export is reported, with advice', () => {
    const noIds = [header[0], header[1], header[0]].map((row) => row ?? []);
    expect(responseColumns(noIds)).toMatchObject({ problem: expect.stringContaining('third row') });
    expect(responseColumns([])).toHaveProperty('next');
    const cases: [string[], RegExp][] = [
      [['Status', 'RecordedDate'], /does not contain status, recordedDate\./],
      [['coreChoiceCampus'], /does not contain coreChoiceCampus\./],
      [COLUMNS.map(([name]) => name).filter((name) => name.includes('Choice')), /no core or elective/],
    ];
    for (const [names, problem] of cases) {
      const wrong = responseColumns(headerOf(without(...names)));
      expect(wrong).toMatchObject({ problem: expect.stringMatching(problem), next: expect.any(String) });
    }
    expect(responseColumns(headerOf(COLUMNS, 'Mars/Base'))).toMatchObject({
      next: expect.stringContaining('UTC'),
    });
  });

  test('has columns of labels that are not confused with the coded ones', () => {
    const labels = [header[0], header[1], header[2]].map((row, at) => {
      const words = at === 2 ? '{"ImportId":"status","isLabelsColumn":true}' : 'Status - words';
      return [words, ...(row ?? [])];
    });
    expect(readResponse(['Spam', ...rowOf({})], columnsOf(labels)).status).toBe(0);
  });

  test('with any cells is read, or reported as not an export', () => {
    const cell = fc.oneof(fc.string(), fc.json(), fc.constantFrom(...header.flat()));
    fc.assert(
      fc.property(fc.array(fc.array(cell), { maxLength: 4 }), fc.array(cell), (rows, cells) => {
        for (const found of [responseColumns(rows), columnsOf(header)]) {
          if (!('problem' in found)) readResponse(cells, found);
        }
      }),
    );
  });
});

describe('a row of an export', () => {
  test('BTA-26 contains the choices, tidied; a kind without a choice is missing', () => {
    const response = read({
      coreChoiceCourseName: ' Corporate\nFinance ',
      coreChoiceProfessor: "Fiona O'Brien",
      coreChoiceCampus: 'SGP',
      coreChoiceCourseId: 'FIN101',
      electiveChoiceCampus: 'SGP',
    });
    expect(response.core).toEqual({
      course: 'Corporate Finance',
      professor: "Fiona O'Brien",
      campus: 'SGP',
      courseId: 'FIN101',
      professorId: '',
    });
    expect(response.elective).toBeNull();
  });

  test('OP-105 keeps only the start of an overlong field, which matches nothing in the list', () => {
    const long = `Layla Brown${'\u200b'.repeat(400)}`;
    const { core } = read({ coreChoiceCourseName: `${'x'.repeat(299)}😀y`, coreChoiceProfessor: long });
    expect(core?.course).toBe(`${'x'.repeat(299)} …`);
    expect(core?.professor.length).toBeLessThan(310);
    expect(nameKey(core?.professor ?? '')).not.toBe(nameKey('Layla Brown'));
    const name = 'y'.repeat(255);
    expect(read({ coreChoiceProfessor: name }).core?.professor).toBe(name);
  });

  test('OP-105 contains the voter’s external reference and email, in any case', () => {
    const mail = { RecipientEmail: ' Zoe@School.example' };
    const email = 'zoe@school.example';
    expect(read({ ...mail, ExternalReference: ' P1 ' })).toMatchObject({ reference: 'P1', email });
    expect(read(mail)).toMatchObject({ reference: '', email });
    expect(read({ RecipientEmail: '  ' })).toMatchObject({ reference: '', email: '' });
  });

  test('has statuses and yes or no, with and without labels', () => {
    const statuses = [
      '0',
      'IP Address',
      'Survey Test',
      'imported spam',
      '256',
      'Unknown',
      '-1',
      '',
      'constructor',
    ];
    expect(statuses.map((Status) => read({ Status }).status)).toEqual([
      0,
      0,
      2,
      12,
      256,
      null,
      null,
      null,
      null,
    ]);
    const yes = ['1', 'True', 'TRUE', '0', 'False', '', 'yes'];
    expect(yes.map((Finished) => read({ Finished }).finished)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test('has dates in UTC unless the export names a zone', () => {
    const at = (RecordedDate: string) => read({ RecordedDate }).recordedAt;
    const noon = Date.UTC(2026, 2, 10, 12);
    expect([at('2026-03-10 12:00:00'), at('2026-03-10T12:00:00Z'), at('2026-03-10T12:00:00.123Z')]).toEqual([
      noon,
      noon,
      noon,
    ]);
    expect([at(''), at('10.3.2026'), at('2026-13-10 12:00:00')]).toEqual([null, null, null]);
    const singapore = columnsOf(headerOf(COLUMNS, 'Asia/Singapore'));
    expect(readResponse(rowOf({ RecordedDate: '2026-03-10 20:00:00' }), singapore).recordedAt).toBe(noon);
    expect(readResponse(rowOf({ RecordedDate: '' }), singapore).recordedAt).toBeNull();
  });
});
