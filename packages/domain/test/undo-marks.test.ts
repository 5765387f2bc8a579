import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Undoing, type UndoMark, undoMarks } from '../src/undo-marks.ts';

/** Reads `B-A` as: B undoes A; `?` is in progress, `~` changes only a part, `!` changes nothing. */
function chain(text: string): Undoing[] {
  return text.split(' ').map((one) => {
    const [id = '', undoes = null] = one.replace(/[?~!]$/, '').split('-');
    const did = ({ '?': 'open', '~': 'part', '!': 'nothing' } as const)[one.at(-1) ?? ''] ?? 'all';
    return { id, undoes, extent: did };
  });
}
const marksOf = (text: string) =>
  [...undoMarks(chain(text))].map(([id, { id: by, mark }]) => `${id} ${mark} ${by}`);

describe('marks on imports that undo each other', () => {
  test.each([
    ['A', []],
    ['A B-A', ['A done B']],
    ['A B-A~', ['A partly B']],
    ['A B-A?', ['A open B']],
    ['A B-A!', []],
    ['A B-A C-B', ['A again B', 'B done C']],
    ['A B-A C-B?', ['A redoing B', 'B open C']],
    ['A B-A C-B~', ['A partly B', 'B partly C']],
    ['A B-A C-B D-C', ['A done B', 'B again C', 'C done D']],
    ['A B-A C-B D-C?', ['A open B', 'B redoing C', 'C open D']],
    // Only a part was undone, and that undo was itself undone.
    ['A B-A~ C-B', ['A again B', 'B done C']],
    // The rest is undone by a second undo, and only the second one is undone.
    ['A B-A~ C-A', ['A done C']],
    ['A B-A~ C-A D-C', ['A partly C', 'C done D']],
    // The first one is undone again, with its own button.
    ['A B-A C-B D-A', ['A done D', 'B again C', 'C done D']],
    // A failed undo does not count as one, and can itself be undone.
    ['A B-A! C-A', ['A done C']],
    ['A B-A! C-B', ['B done C']],
    ['A X B-A Y-X~', ['A done B', 'X partly Y']],
    // The import that it undoes has been deleted.
    ['B-A C-B', ['B done C']],
  ])('%s', (text, marks) => {
    expect(marksOf(text)).toEqual(marks);
  });

  test('the marks of any chain match the state of the rows themselves', () => {
    const steps = fc.array(fc.tuple(fc.nat(20), fc.constantFrom('all', 'part')), { maxLength: 7 });
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.boolean()), (plan, coins) => {
        // 4096 rows are enough to be halved seven times.
        const rows = Array.from({ length: 4_096 }, () => true);
        const family: (Undoing & { rows: number[]; state: boolean })[] = [
          { id: '0', undoes: null, extent: 'all', rows: [...rows.keys()], state: true },
        ];
        for (const [at, did] of plan) {
          const target = family[at % family.length];
          if (!target) throw new Error('nobody');
          const standing = target.rows.filter((row) => rows[row] === target.state);
          // Some of each kind of row are done, and some are left.
          const sent = did === 'all' ? standing : standing.filter(() => coins.next().value);
          if (standing.length === 0) continue;
          if (did === 'part' && (sent.length === 0 || sent.length === standing.length)) continue;
          for (const row of sent) rows[row] = !target.state;
          const undo = { id: String(family.length), undoes: target.id, extent: did };
          family.push({ ...undo, rows: sent, state: !target.state });
        }
        const marks = undoMarks(family);
        for (const one of family) {
          const left = one.rows.filter((row) => rows[row] === one.state).length;
          const mark = marks.get(one.id)?.mark;
          const expected: readonly (UndoMark | undefined)[] =
            left === 0 ? ['done'] : left < one.rows.length ? ['partly'] : ['again', undefined];
          expect(
            expected,
            JSON.stringify(family.map(({ id, undoes, extent: did }) => [id, undoes, did])),
          ).toContain(mark);
        }
      }),
    );
  });
});
