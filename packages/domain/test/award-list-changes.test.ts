import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AwardEntry } from '../src/award-entries.ts';
import { listChanges } from '../src/award-list-changes.ts';
import { entry, lists, shuffled } from './award-fixtures.ts';

describe('a new list compared with the current one', () => {
  test('BTA-28 lists new entries, changes from old to new values, and missing entries', () => {
    const old = [entry(), entry({ courseId: 'FIN102' }), entry({ courseId: 'FIN103' })];
    const changed = entry({ courseId: 'fin102', enrolled: 90, professor: 'Zoe Müller', type: 'elective' });
    const added = entry({ campus: 'FBL' });
    expect(listChanges(old, [added, entry(), changed])).toEqual({
      added: [added],
      changed: [
        {
          entry: changed,
          fields: [
            { column: 'Course ID', from: 'FIN102', to: 'fin102' },
            { column: 'Enrolled', from: 80, to: 90 },
            { column: 'Professor', from: 'Zoë Müller', to: 'Zoe Müller' },
            { column: 'Type', from: 'core', to: 'elective' },
          ],
        },
      ],
      gone: [old[2]],
      unchanged: 1,
    });
  });

  test('each row of either list appears once in the comparison, and the reverse comparison is its mirror image', () => {
    const ids = ({ campus, courseId, professorId }: AwardEntry) => [campus, courseId, professorId].join();
    fc.assert(
      fc.property(lists, lists, (old, next) => {
        const there = listChanges(old, next);
        expect(there.added.length + there.changed.length + there.unchanged).toBe(next.length);
        expect(there.gone.length + there.changed.length + there.unchanged).toBe(old.length);
        const back = listChanges(next, old);
        expect(back.added.map(ids).sort()).toEqual(there.gone.map(ids).sort());
        const fields = (one: typeof there) =>
          one.changed.flatMap(({ entry: { campus, courseId, professorId }, fields: all }) =>
            all.map(({ column, from, to }) => [campus, courseId, professorId, column, from, to]),
          );
        const reversed = fields(back).map(([campus, course, professor, column, from, to]) =>
          [campus, course, professor, column, to, from].join(),
        );
        expect(reversed.sort()).toEqual(
          fields(there)
            .map((one) => one.join())
            .sort(),
        );
      }),
    );
  });

  test('the same list in a different order changes nothing', () => {
    fc.assert(
      fc.property(lists, fc.array(fc.nat()), (list, by) => {
        const changes = listChanges(list, shuffled(list, by));
        expect(changes).toEqual({ added: [], changed: [], gone: [], unchanged: list.length });
      }),
    );
  });
});
