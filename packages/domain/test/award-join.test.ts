import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinVotes, type VoteFigures } from '../src/award-join.ts';
import { NearestNames } from '../src/award-nearest.ts';
import { nameKey, tidy } from '../src/award-text.ts';
import { entry, lists, PATIENCE, shuffled, tallies, tally } from './award-fixtures.ts';

/** Letters that can be converted in several ways, and invisible characters. */
const ODD = [
  'a',
  'Z',
  'é',
  '’',
  '–',
  'ß',
  'ẞ',
  'ı',
  'İ',
  'ø',
  'ǿ',
  'œ',
  'Σ',
  'ς',
  'ﬀ',
  '𝐀',
  '\u212a',
  ' ',
  '\n',
  '\u0000',
  '\u0301',
  '\u00a0',
  '\u00ad',
  '\u3000',
  '\ud83d',
  '\ufeff',
];

describe('names', () => {
  test('OP-105 are compared without regard to case, accents and spaces', () => {
    for (const other of [
      'zoe muller',
      ' ZOË  MÜLLER ',
      'Zoe\u0308 Mu\u0308ller',
      'Zoë\u00a0Müller',
      'Zoë Mül\u00adler',
    ])
      expect(nameKey(other)).toBe(nameKey('Zoë Müller'));
    expect(nameKey('Fiona O’Brien')).toBe(nameKey("fiona o'brien"));
    expect(nameKey('Søren Yıldız')).toBe('sorenyildiz');
    expect(nameKey('Zoë Müller')).not.toBe(nameKey('Zoë Miller'));
  });

  test('OP-105 stay the same when normalised or tidied twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...ODD), maxLength: 8 }), (text) => {
        expect(nameKey(nameKey(text))).toBe(nameKey(text));
        expect(tidy(tidy(text))).toBe(tidy(text));
        expect(nameKey(tidy(text))).toBe(nameKey(text));
        expect(tidy(text)).not.toMatch(/[\p{Cc}\p{Cs}]|\s\s|^\s|\s$/u);
      }),
    );
  });
});

describe('votes and the list', () => {
  const finance = entry();
  const valuation = entry({
    course: 'Valuation',
    courseId: 'FIN102',
    professorId: 'P2',
    professor: "Fiona O'Brien",
  });
  const elective = entry({ course: 'Pricing', courseId: 'MKT103', type: 'elective' });
  const list = [finance, valuation, elective];

  test('OP-105 are matched by campus, course and professor if the survey has no ids', () => {
    const votes = [
      tally({ votes: 3 }),
      tally({ course: 'corporate finance ', professor: 'ZOE MULLER', campus: 's', votes: 2, known: 0 }),
      tally({ type: 'elective', course: 'Pricing', votes: 5, known: 4 }),
    ];
    const { of, unmatched } = joinVotes(list, votes);
    expect([finance, valuation, elective].map((one) => of.get(one))).toEqual([
      { votes: 5, known: 1 },
      { votes: 0, known: 0 },
      { votes: 5, known: 4 },
    ]);
    expect(unmatched).toEqual([]);
  });

  test('OP-105 are matched by ids if both have them, whatever the names', () => {
    const byIds = tally({
      course: 'Finanzierung',
      professor: 'Z. M.',
      courseId: 'fin101',
      professorId: ' P1',
    });
    expect(joinVotes(list, [byIds]).of.get(finance)?.votes).toBe(1);
    expect(joinVotes(list, [{ ...byIds, campus: '' }]).of.get(finance)?.votes).toBe(1);
    const elsewhere = joinVotes(list, [{ ...byIds, campus: 'FBL' }]);
    expect([elsewhere.of.get(finance)?.votes, elsewhere.unmatched.length]).toEqual([0, 1]);
    const half = tally({ courseId: 'another' });
    expect(joinVotes(list, [half]).of.get(finance)?.votes).toBe(1);
  });

  test('OP-105 unknown ids match nothing, and the names show the likely choice', () => {
    const [one] = joinVotes(list, [tally({ courseId: 'OLD1', professorId: 'P1' })]).unmatched;
    expect(one).toMatchObject({ reason: 'not-in-list', votes: 1, nearest: [finance] });
  });

  test('OP-105 votes without a match give the reason, and similar names', () => {
    const twin = entry({ courseId: 'FIN201' });
    const votes = [
      tally({ professor: 'Zoe Miller', votes: 7 }),
      tally({ course: 'Pricing', votes: 6 }),
      tally({ votes: 5 }),
      tally({ course: 'Underwater Basketry', professor: 'Thandiwe Mbeki', votes: 4 }),
    ];
    const { unmatched } = joinVotes([...list, twin], votes);
    expect(unmatched.map(({ votes: count, reason, nearest }) => [count, reason, nearest])).toEqual([
      [7, 'not-in-list', [finance, twin]],
      [6, 'other-type', [elective]],
      [5, 'several', [finance, twin]],
      [4, 'not-in-list', []],
    ]);
  });

  test('OP-105 spellings with the same meaning are one row, under the most frequent one', () => {
    const votes = [
      tally({ course: 'valuatoin', votes: 1, known: 0 }),
      tally({ course: 'Valuatoin', votes: 4, known: 4 }),
      tally({ course: 'VALUATOIN ', campus: 'S', votes: 2, known: 2 }),
    ];
    expect(joinVotes(list, votes).unmatched).toEqual([
      expect.objectContaining({ course: 'Valuatoin', campus: 'SGP', votes: 7, known: 6 }),
    ]);
  });

  test('OP-105 no vote is lost or counted twice', () => {
    fc.assert(
      fc.property(lists, tallies, (entries, votes) => {
        const { of, unmatched } = joinVotes(entries, votes);
        const add = (of: 'votes' | 'known', all: readonly VoteFigures[]) =>
          all.reduce((so, one) => so + one[of], 0);
        const sum = (all: readonly VoteFigures[]) => [add('votes', all), add('known', all)];
        expect(sum([...of.values(), ...unmatched])).toEqual(sum(votes));
        expect([...of.keys()]).toEqual(entries);
        for (const { type, nearest } of unmatched) {
          expect(nearest.every((one) => entries.includes(one))).toBe(true);
          expect(['core', 'elective']).toContain(type);
        }
      }),
    );
  });

  test('OP-105 the order of list and votes does not change the figures', () => {
    fc.assert(
      fc.property(lists, tallies, fc.array(fc.nat()), (entries, votes, by) => {
        const [one, other] = [
          joinVotes(entries, votes),
          joinVotes(shuffled(entries, by), shuffled(votes, by)),
        ];
        for (const each of entries) expect(other.of.get(each)).toEqual(one.of.get(each));
        const figures = (all: typeof one) =>
          all.unmatched.map(({ votes: count, known, reason }) => [count, known, reason]);
        expect(figures(other)).toEqual(figures(one));
      }),
    );
  });

  test('OP-105 an exact spelling always finds its entry, if it is the only one', () => {
    fc.assert(
      fc.property(lists, (entries) => {
        for (const wanted of entries) {
          const named = { ...tally(), ...wanted, courseId: '', professorId: '' };
          const { of, unmatched } = joinVotes(entries, [named]);
          if (of.get(wanted)?.votes === 1) expect(unmatched).toEqual([]);
          else
            expect(unmatched[0]).toMatchObject({
              reason: 'several',
              nearest: expect.arrayContaining([wanted]),
            });
        }
      }),
    );
  });
});

describe('the nearest names', () => {
  const two = [entry({ campus: 'FBL' }), entry()];

  test('of equally similar names, those from the same campus come first', () => {
    const near = new NearestNames(two);
    const wrong = { course: 'Corporate Finance', professor: 'Zoe Mueller' };
    expect(near.find({ ...wrong, campus: 'SGP' })).toEqual([two[1], two[0]]);
    expect(near.find({ ...wrong, campus: 'FBL' })).toEqual(two);
  });

  test('are found if one letter is added, missing or wrong, but not for an empty text', () => {
    const near = new NearestNames(two);
    fc.assert(
      fc.property(fc.nat(16), fc.constantFrom('', 'x', 'fi'), (at, letters) => {
        const course = 'Corporate Finance';
        const wrong = course.slice(0, at) + letters + course.slice(at + 1);
        expect(near.find({ campus: 'SGP', course: wrong, professor: 'Zoë Müler' })[0]).toBe(two[1]);
      }),
    );
    expect(near.find({ campus: 'SGP', course: '', professor: '\ud800' })).toEqual([]);
    expect(new NearestNames([]).find(entry())).toEqual([]);
  });

  test(
    'are found for 5,000 misspelt votes in a list of 500',
    () => {
      const list = Array.from({ length: 500 }, (_, at) =>
        entry({ course: `Corporate Finance of Type ${at}`, courseId: `C${at}` }),
      );
      const votes = Array.from({ length: 5_000 }, (_, at) =>
        tally({ course: `Coporate Finance of Type ${at}`, professor: `Zoe Mulle ${at}` }),
      );
      expect(joinVotes(list, votes).unmatched[77]?.nearest).toHaveLength(3);
    },
    PATIENCE,
  );
});
