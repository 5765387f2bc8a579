/** CSV from bytes, texts and lists of cells: the same rows in every form, while other work gets its turn (SIS-04, OP-43). */
import { BadCsv, CsvReader, type CsvRow } from '@lms-admin/domain/csv-reader';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvSource, csvBatches } from '../../src/platform/csv/batches.ts';
import { type Decoding, decoded } from '../../src/platform/csv/decode.ts';

/** Reads the rows and their numbers, and reports how reading ended. */
async function read(source: CsvSource, reader?: CsvReader) {
  const rows: CsvRow[] = [];
  try {
    for await (const batch of csvBatches(source, reader)) rows.push(...batch);
    return { rows, failure: null };
  } catch (error) {
    if (!(error instanceof BadCsv)) throw error;
    return { rows, failure: { row: error.row, message: error.message } };
  }
}

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [at, end] of places.slice(1).entries()) yield bytes.subarray(places[at], end);
}

const ENCODERS = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-16le': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
} as const;

const marks = fc.constantFrom(',', '"', '\n', '\r', '\r\n', ' ', 'a', 'é', '€', '𝄞', 'zz');
const wild = fc.array(marks, { maxLength: 80 }).map((some) => `é${some.join('')}`);

describe('bytes', () => {
  test('property: wherever the bytes are split and however they are encoded, the rows are those of the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        wild,
        fc.constantFrom(...(Object.keys(ENCODERS) as (keyof typeof ENCODERS)[])),
        fc.array(fc.nat(400), { maxLength: 12 }),
        async (text, encoding, cuts) => {
          const found: Decoding = { encoding: 'utf-8' };
          const bytes = ENCODERS[encoding](text);
          expect(await read(decoded(inPieces(bytes, cuts), found))).toEqual(await read(text));
          expect(found.encoding).toBe(encoding);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('property: a text with a broken encoding is read up to the broken row', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(40),
        fc.nat(3),
        fc.array(fc.nat(400), { maxLength: 6 }),
        async (good, at, cuts) => {
          const rows = Array.from({ length: good }, (_, index) => `é${index},b`);
          const broken = Buffer.concat([
            Buffer.from(['é', ...rows, 'xyz'.slice(0, at)].join('\n')),
            Buffer.from([0xff]),
            Buffer.from(',more\nand,more'),
          ]);
          const { rows: read1, failure } = await read(decoded(inPieces(broken, cuts)));
          expect(failure).toEqual({ row: good + 2, message: expect.stringContaining('encoding') });
          expect(read1).toHaveLength(good + 1);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('SIS-04: a text larger than is processed in one piece', async () => {
    const lines = Array.from({ length: 40_000 }, (_, at) => `${at},p${at}@northbridge.example,"É, ${at}"`);
    const bytes = Buffer.from(`\ufeff${lines.join('\r\n')}`);
    const { rows, failure } = await read(decoded(inPieces(bytes, [1, 2, 100_000, 100_001, 700_000])));
    expect(failure).toBeNull();
    expect(rows.map(({ row }) => row)).toEqual(lines.map((_, at) => at + 1));
    expect(rows.at(-1)?.cells).toEqual(['39999', 'p39999@northbridge.example', 'É, 39999']);
  });
});

describe('lists of cells', () => {
  test('property: lists of cells give the same rows and row numbers as the CSV text of these cells', async () => {
    const cell = fc.constantFrom('', ' ', 'a', ' b ', 'c,d', '"', 'é\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 30 }),
        async (lists) => {
          const quoted = lists.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(','));
          expect(await read(lists)).toEqual(await read(quoted.join('\n')));
        },
      ),
    );
  });
});

describe('turns', () => {
  test('OP-53: other work gets its turn while a long text is read, and reading ends at the first wrong row', async () => {
    let turns = 0;
    let reading = true;
    const tick = () => {
      turns++;
      if (reading) setImmediate(tick);
    };
    setImmediate(tick);
    const text = `${'a,b\n'.repeat(500_000)}"never closed`;
    const { rows, failure } = await read(text);
    reading = false;
    expect(rows).toHaveLength(500_000);
    expect(failure?.row).toBe(500_001);
    expect(turns).toBeGreaterThan(text.length / 65_536);
    let asked = 0;
    async function* source() {
      for (; asked < 1_000; asked++) yield 'x'.repeat(65_536);
    }
    expect((await read(source())).failure?.row).toBe(1);
    expect(asked).toBeLessThan(3);
  });
});
