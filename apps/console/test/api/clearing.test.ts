import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearSelections, onClearSelections } from '../../src/api/clearing.ts';
import { keepWorkOf } from '../../src/api/owner.ts';

afterEach(() => vi.unstubAllGlobals());

describe('clearing what tools keep', () => {
  it('SHELL-25 OP-20 calls every tool that registered, and none that left', () => {
    const [first, second, gone] = [vi.fn(), vi.fn(), vi.fn()];
    const stops = [onClearSelections(first), onClearSelections(second)];
    onClearSelections(gone)();
    clearSelections();
    expect([first.mock.calls.length, second.mock.calls.length, gone.mock.calls.length]).toEqual([1, 1, 0]);
    for (const stop of stops) stop();
  });

  it('clears the others when one of them fails, and says so', () => {
    const other = vi.fn();
    const stops = [
      onClearSelections(() => {
        throw new Error('no');
      }),
      onClearSelections(other),
    ];
    expect(clearSelections).toThrow(AggregateError);
    expect(other).toHaveBeenCalledOnce();
    for (const stop of stops) stop();
  });

  it('what one person has entered is cleared when another signs in', () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value),
    });
    const clear = vi.fn();
    const stop = onClearSelections(clear);
    keepWorkOf(7);
    keepWorkOf(7);
    expect(clear).not.toHaveBeenCalled();
    keepWorkOf(8);
    expect(clear).toHaveBeenCalledOnce();
    stop();
  });
});
