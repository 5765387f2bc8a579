/** Work items that arrive at the same time are processed together. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grouped } from '../../src/platform/grouped.ts';

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('grouping', () => {
  test('items that arrive while a group is being processed form the next one, in order', async () => {
    const groups: number[][] = [];
    const one = grouped(async (items: readonly number[]) => {
      groups.push([...items]);
      await later();
      return items.map((item) => item * 2);
    });
    const first = one(1);
    const others = [2, 3, 4].map(one);
    expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8]);
    expect(await one(5)).toBe(10);
    expect(groups).toEqual([[1], [2, 3, 4], [5]]);
  });

  test('the group waits for an expected item, and starts as soon as it arrives', async () => {
    const groups: number[][] = [];
    let underWay = 3;
    const one = grouped(
      async (items: readonly number[]) => {
        groups.push([...items]);
        return items;
      },
      { more: (waiting) => waiting < underWay, ms: 3_600_000 },
    );
    const first = one(1);
    await later();
    const second = one(2);
    await later();
    expect(groups).toEqual([]);
    expect(await Promise.all([first, second, one(3)])).toEqual([1, 2, 3]);
    underWay = 1;
    expect(await one(4)).toBe(4);
    expect(groups).toEqual([[1, 2, 3], [4]]);
  });

  test('the group waits only up to the limit for an item that does not arrive', async () => {
    const one = grouped(async (items: readonly number[]) => items, { more: () => true, ms: 1 });
    expect(await Promise.all([one(1), one(2)])).toEqual([1, 2]);
    expect(await one(3)).toBe(3);
  });

  test('a failing group fails for each of its items, and for no others', async () => {
    const one = grouped(async (items: readonly string[]) => {
      await later();
      if (items.includes('bad')) throw new Error('refused');
      return items;
    });
    const ends = await Promise.allSettled([one('good'), one('bad'), one('with it')]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await one('after')).toBe('after');
  });

  test('property: every caller gets their own result, whenever they arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4), { maxLength: 30 }), async (waits) => {
        const one = grouped(async (items: readonly number[]) => {
          await later();
          return items.map((item) => -item);
        });
        const all = waits.map(async (turns, at) => {
          for (let turn = 0; turn < turns; turn++) await later();
          return one(at);
        });
        expect(await Promise.all(all)).toEqual(waits.map((_, at) => -at));
      }),
      { numRuns: 50 },
    );
  });
});
