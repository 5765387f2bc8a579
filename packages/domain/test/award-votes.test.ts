import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SurveyResponse } from '../src/award-responses.ts';
import { readResponse } from '../src/award-responses.ts';
import { type CountedVotes, LEFT_OUT, VoteCounter } from '../src/award-votes.ts';
import { COLUMNS, columnsOf, headerOf, PATIENCE, responses, rowOf, shuffled } from './award-fixtures.ts';

function count(all: readonly SurveyResponse[], opensAt: number | null = null): CountedVotes {
  const counter = new VoteCounter(opensAt);
  for (const response of all) counter.add(response);
  return counter.result();
}

const columns = columnsOf(headerOf(COLUMNS));
const vote = {
  coreChoiceCourseName: 'Valuation',
  coreChoiceProfessor: 'Zoë Müller',
  coreChoiceCampus: 'SGP',
};
let number = 0;
const read = (given: Record<string, string> = {}) =>
  readResponse(rowOf({ ResponseId: `R_${++number}`, ...vote, ...given }), columns);

describe('responses that are votes', () => {
  test('OP-105 finished responses with status 0, 4 or 16 are votes; each of the others is excluded for one reason', () => {
    const cases: [keyof CountedVotes['leftOut'] | 'counts', Record<string, string>][] = [
      ['counts', { Status: '0' }],
      ['counts', { Status: '4' }],
      ['counts', { Status: '16', DistributionChannel: 'anonymous' }],
      ['preview', { Status: '1', Finished: '0' }],
      ['preview', { Status: '9' }],
      ['preview', { Status: '17' }],
      ['preview', { DistributionChannel: 'Preview' }],
      ['test', { Status: '2' }],
      ['test', { DistributionChannel: 'test' }],
      ['spam', { Status: '8' }],
      ['spam', { Status: '12' }],
      ['spam', { Status: '40' }],
      ['status', { Status: '32' }],
      ['status', { Status: '256' }],
      ['status', { Status: 'of another language' }],
      ['unreadable', { RecordedDate: '' }],
      ['unreadable', { ResponseId: '' }],
      ['unfinished', { Finished: '0' }],
      ['early', { RecordedDate: '2026-02-28 23:59:59' }],
    ];
    for (const [fate, given] of cases) {
      const { total, responses: counted, leftOut } = count([read(given)], Date.UTC(2026, 2, 1));
      expect(total).toBe(1);
      const named = LEFT_OUT.filter((reason) => leftOut[reason] > 0);
      expect(counted === 1 ? ['counts'] : named).toEqual([fate]);
    }
  });

  test('OP-105 a voter’s latest response counts, in any order of rows; anonymous ones each count', () => {
    const first = read({ ExternalReference: 'P1', coreChoiceCourseName: 'Strategy' });
    const second = read({ ExternalReference: 'P1', RecordedDate: '2026-03-10 12:00:01' });
    for (const both of [
      [first, second],
      [second, first],
    ]) {
      const counted = count(both);
      expect(counted).toMatchObject({ responses: 1, leftOut: { replaced: 1 } });
      expect(counted.tallies.map(({ course }) => course)).toEqual(['Valuation']);
    }
    // One response came from an invitation with the reference, the other through a link with only the email.
    const mail = { RecipientEmail: 'Two.Ways@school.example' };
    const named = read({ ...mail, ExternalReference: 'P1', coreChoiceCourseName: 'Strategy' });
    const lone = read({ ...mail, RecordedDate: '2026-03-10 12:00:01' });
    for (const both of [
      [named, lone],
      [lone, named],
    ]) {
      const counted = count(both);
      expect(counted).toMatchObject({ responses: 1, anonymous: 0, leftOut: { replaced: 1 } });
      expect(counted.tallies.map(({ course, known }) => [course, known])).toEqual([['Valuation', 1]]);
    }
    // An address that several people share identifies no one.
    expect(count([named, lone, read({ ...mail, ExternalReference: 'P2' })]).responses).toBe(3);
    const unfinished = read({ ExternalReference: 'P1', RecordedDate: '2026-03-11 12:00:00', Finished: '0' });
    expect(count([first, unfinished]).tallies[0]?.course).toBe('Strategy');
    expect(count([read(), read(), read()])).toMatchObject({ responses: 3, anonymous: 3 });
  });

  test('OP-105 the vote opens at its opening time; without one it was always open', () => {
    const one = read({ RecordedDate: '2026-03-01 00:00:00' });
    expect(count([one], Date.UTC(2026, 2, 1)).responses).toBe(1);
    expect(count([one], Date.UTC(2026, 2, 1) + 1).leftOut.early).toBe(1);
    expect(count([one]).responses).toBe(1);
  });

  test('BTA-13 a voter without a choice counts as a response, and is reported as empty', () => {
    const blank = read({ coreChoiceCourseName: '', coreChoiceProfessor: '' });
    expect(count([blank])).toMatchObject({ responses: 1, blank: 1, tallies: [] });
  });

  test('a voter has one vote of each kind; equal choices are counted together', () => {
    const elective = {
      electiveChoiceCourseName: 'Game Theory',
      electiveChoiceProfessor: 'Mads Olsen',
      ExternalReference: 'P7',
    };
    expect(count([read(elective), read()]).tallies).toEqual([
      expect.objectContaining({ type: 'core', course: 'Valuation', votes: 2, known: 1 }),
      expect.objectContaining({ type: 'elective', course: 'Game Theory', campus: '', votes: 1, known: 1 }),
    ]);
  });
});

/** Applies the same rule by hand: slow but simple. */
function byHand(all: readonly SurveyResponse[], opensAt: number | null): string[] {
  const votes = all.filter(
    ({ status, channel, finished, recordedAt }) =>
      [0, 4, 16].includes(status ?? -1) &&
      !['preview', 'test'].includes(channel) &&
      finished &&
      recordedAt !== null &&
      (opensAt === null || recordedAt >= opensAt),
  );
  const isOf = (one: SurveyResponse, other: SurveyResponse): boolean => {
    if (one.reference !== '' || other.reference !== '') {
      if (one.reference !== '' && other.reference !== '') return one.reference === other.reference;
      const [named, lone] = one.reference === '' ? [other, one] : [one, other];
      const owners = votes.filter(({ reference, email }) => reference !== '' && email === lone.email);
      return owners.length > 0 && owners.every(({ reference }) => reference === named.reference);
    }
    return one.email === other.email;
  };
  const isAnonymous = ({ reference, email }: SurveyResponse) => reference === '' && email === '';
  const isLast = (one: SurveyResponse) =>
    !votes.some(
      (other) =>
        !isAnonymous(other) &&
        isOf(one, other) &&
        ((other.recordedAt ?? 0) > (one.recordedAt ?? 0) ||
          (other.recordedAt === one.recordedAt && other.id > one.id)),
    );
  return votes
    .filter((one) => isAnonymous(one) || isLast(one))
    .map(({ core }) => `${core?.campus} ${core?.course} ${core?.professor}`)
    .sort();
}

const opening = fc.option(fc.integer({ min: 0, max: 6 }));

describe('counting', () => {
  test('OP-105 matches a count by hand', () => {
    fc.assert(
      fc.property(responses, opening, (all, opensAt) => {
        const { tallies, blank } = count(all, opensAt);
        const counted = tallies.flatMap((one) =>
          Array.from({ length: one.votes }, () => `${one.campus} ${one.course} ${one.professor}`),
        );
        const none = Array.from({ length: blank }, () => 'undefined undefined undefined');
        expect([...counted, ...none].sort()).toEqual(byHand(all, opensAt));
      }),
    );
  });

  test('OP-105 drops nothing: every response counts, or is excluded for a reason', () => {
    fc.assert(
      fc.property(responses, opening, (all, opensAt) => {
        const { total, responses: counted, leftOut, anonymous, blank } = count(all, opensAt);
        const out = Object.values(leftOut).reduce((sum, one) => sum + one, 0);
        expect([total, counted + out]).toEqual([all.length, all.length]);
        expect(Math.max(anonymous, blank)).toBeLessThanOrEqual(counted);
      }),
    );
  });

  test('OP-105 does not depend on the order of the export, or on a repeated row', () => {
    fc.assert(
      fc.property(responses, fc.array(fc.nat()), opening, (all, by, opensAt) => {
        expect(count(shuffled(all, by), opensAt)).toEqual(count(all, opensAt));
        expect(count([...all, ...all], opensAt).tallies).toEqual(count(all, opensAt).tallies);
      }),
    );
  });

  test(
    'reads and counts 50,000 responses',
    () => {
      const rows = Array.from({ length: 50_000 }, (_, at) =>
        rowOf({
          ResponseId: `R_${at}`,
          ExternalReference: `P${at % 45_000}`,
          RecordedDate: `2026-03-10 12:${String(Math.floor(at / 60) % 60).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`,
          coreChoiceCourseName: `Corporate Finance ${at % 300}`,
          coreChoiceProfessor: 'Jürgen  Fernández',
          coreChoiceCampus: 'SGP',
          electiveChoiceCourseName: `Valuation ${at % 200}`,
          electiveChoiceProfessor: "Fiona O'Brien",
          electiveChoiceCampus: 'FBL',
        }),
      );
      const counter = new VoteCounter(0);
      for (const row of rows) counter.add(readResponse(row, columns));
      expect(counter.result()).toMatchObject({ responses: 45_000, leftOut: { replaced: 5_000 } });
    },
    PATIENCE,
  );
});
