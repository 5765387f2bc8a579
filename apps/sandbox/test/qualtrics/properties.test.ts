/** Typed text survives every format, and every body that starts an export gets an answer. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DRAFT, rowsIn, useQualtrics } from './client.ts';

const qualtrics = useQualtrics();

const typed = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.stringMatching(/^[ "',;=\t\r\n\\é🎓<]{1,12}$/u),
);

test('text of every kind survives CSV, TSV and JSON', async () => {
  const written: string[] = [];
  await fc.assert(
    fc.asyncProperty(typed, typed, async (reason, professor) => {
      await qualtrics.add({ answers: { QID3: reason }, embedded: { coreChoiceProfessor: professor } }, DRAFT);
      written.push(reason, professor);
    }),
    { numRuns: 60 },
  );
  const inTable = async (format: string, separator: string) =>
    rowsIn(await qualtrics.text({ format }, DRAFT), separator).flatMap((row) => [
      row['CoreReason'],
      row['coreChoiceProfessor'],
    ]);
  expect(await inTable('csv', ',')).toEqual(written);
  expect(await inTable('tsv', '\t')).toEqual(written);
  for (const format of ['json', 'ndjson']) {
    const text = await qualtrics.text({ format }, DRAFT);
    const responses =
      format === 'json'
        ? (JSON.parse(text) as { responses: Response[] }).responses
        : text
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line) as Response);
    expect(responses.flatMap(({ values }) => [values['QID3_TEXT'], values['coreChoiceProfessor']])).toEqual(
      written,
    );
  }
});

type Response = { values: Record<string, unknown> };

test('any body that starts an export gets a clear answer', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('csv', 'json', true, -1, '2026-09-07T00:00:00Z'));
  const names = [
    'format',
    'useLabels',
    'startDate',
    'limit',
    'questionIds',
    'timeZone',
    'filterId',
    '__proto__',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.dictionary(fc.constantFrom(...names), value), fc.jsonValue()),
      async (body) => {
        const { status, meta } = await qualtrics.start(body as object, DRAFT);
        expect([200, 400]).toContain(status);
        expect(meta.httpStatus).toBe(status === 200 ? '200 - OK' : '400 - Bad Request');
      },
    ),
    { numRuns: 150 },
  );
});
