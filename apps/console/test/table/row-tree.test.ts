import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everyRow, findInTree, type LinesOptions, linesOf } from '../../src/components/DataTable/row-tree.ts';

interface Node {
  id: string;
  below: readonly Node[];
}

const node = (id: string, ...below: Node[]): Node => ({ id, below });
const tree = [node('a', node('a1'), node('a2', node('a2x'))), node('b'), node('c', node('c1'))];
const childRows = ({ below }: Node) => below;
const base: LinesOptions<Node, string> = {
  rowKey: ({ id }) => id,
  childRows,
  order: (rows) => rows,
  found: null,
  opened: new Set(),
  closed: new Set(),
};
const shown = (some: Partial<LinesOptions<Node, string>>, rows: readonly Node[] = tree) =>
  linesOf(rows, { ...base, ...some }).map(({ row, level }) => '.'.repeat(level) + row.id);
const looking = (...ids: string[]) => findInTree(tree, childRows, ({ id }) => ids.includes(id));
const left = (found: ReturnType<typeof looking>) =>
  tree.filter((row) => found.own.has(row) || found.above.has(row));

describe('nested rows', () => {
  it('ZC-06 shows only top-level rows, until one is opened', () => {
    expect(shown({})).toEqual(['a', 'b', 'c']);
    expect(shown({ opened: new Set(['a']) })).toEqual(['a', '.a1', '.a2', 'b', 'c']);
    expect(shown({ opened: new Set(['a', 'a2', 'b']) })).toEqual(['a', '.a1', '.a2', '..a2x', 'b', 'c']);
  });

  it('a line knows its parent and how many rows are nested below it', () => {
    const lines = linesOf(tree, { ...base, opened: new Set(['a', 'a2']) });
    expect(lines.map(({ parent, count, open }) => [parent, count, open])).toEqual([
      [-1, 2, true],
      [0, 0, false],
      [0, 1, true],
      [2, 0, false],
      [-1, 0, false],
      [-1, 1, false],
    ]);
  });

  it('rows are sorted among those with the same parent', () => {
    const order = (rows: readonly Node[]) => rows.toReversed();
    expect(shown({ opened: new Set(['a']), order })).toEqual(['a', '.a2', '.a1', 'b', 'c']);
  });

  it('a match further down is shown together with the rows that lead to it', () => {
    const found = looking('a2x');
    expect(left(found).map(({ id }) => id)).toEqual(['a']);
    expect(shown({ found }, left(found))).toEqual(['a', '.a2', '..a2x']);
    expect(shown({ found, closed: new Set(['a2']) }, left(found))).toEqual(['a', '.a2']);
  });

  it('a matching row shows all its nested rows when it is opened', () => {
    const found = looking('a', 'c');
    expect(shown({ found }, left(found))).toEqual(['a', 'c']);
    expect(shown({ found, opened: new Set(['a']) }, left(found))).toEqual(['a', '.a1', '.a2', 'c']);
  });

  it('property: every match is visible, and each line is directly below its parent', () => {
    const trees = fc.letrec<{ node: Node }>((tie) => ({
      node: fc.record({
        id: fc.uuid(),
        below: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('node'), { maxLength: 3 })),
      }),
    })).node;
    fc.assert(
      fc.property(fc.array(trees, { maxLength: 5 }), fc.nat({ max: 3 }), (rows, nth) => {
        const all = [...everyRow(rows, childRows)];
        const wanted = new Set(all.filter((_, index) => index % 4 === nth).map(({ id }) => id));
        const found = findInTree(rows, childRows, ({ id }) => wanted.has(id));
        const some = rows.filter((row) => found.own.has(row) || found.above.has(row));
        const lines = linesOf(some, { ...base, found });
        const seen = new Set(lines.map(({ row }) => row.id));
        for (const id of wanted) expect(seen.has(id)).toBe(true);
        for (const [index, { parent, level, row }] of lines.entries()) {
          expect(parent).toBeLessThan(index);
          if (parent >= 0) expect(lines[parent]?.row.below).toContain(row);
          expect(level).toBe(parent < 0 ? 0 : (lines[parent]?.level ?? 0) + 1);
        }
      }),
    );
  });
});
