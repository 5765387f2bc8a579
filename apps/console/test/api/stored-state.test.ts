import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { clearStored, readStored, STORED_PREFIX, writeStored } from '../../src/api/stored-state.ts';
import { MemoryStorage } from '../support/memory-storage.ts';

const shape = { step: z.number(), chips: z.array(z.string()) };
const initial = { step: 0, chips: [] as string[] };
let storage: MemoryStorage;
beforeEach(() => {
  storage = new MemoryStorage();
});

describe('SHELL-33 state that survives a reload', () => {
  test('is restored exactly as it was written', () => {
    writeStored('tool', { step: 2, chips: ['a@b.example'] }, null, storage);
    expect(readStored('tool', shape, initial, storage)).toEqual({ step: 2, chips: ['a@b.example'] });
  });

  test('only changed parts are written', () => {
    const before = { step: 0, chips: ['a@b.example'] };
    writeStored('tool', { ...before, step: 1 }, before, storage);
    expect([...storage.kept.keys()]).toEqual([`${STORED_PREFIX}tool:step`]);
  });

  test('a part that is not valid is reset, and the others stay', () => {
    storage.setItem(`${STORED_PREFIX}tool:step`, '1');
    storage.setItem(`${STORED_PREFIX}tool:chips`, '{"not":"a list"}');
    expect(readStored('tool', shape, initial, storage)).toEqual({ step: 1, chips: [] });
    storage.setItem(`${STORED_PREFIX}tool:step`, '{broken');
    expect(readStored('tool', shape, initial, storage)).toEqual(initial);
  });

  test('full storage breaks nothing and leaves no outdated state behind', () => {
    writeStored('tool', { step: 1, chips: [] }, null, storage);
    storage.full = true;
    expect(() => writeStored('tool', { step: 2, chips: [] }, null, storage)).not.toThrow();
    expect(readStored('tool', shape, initial, storage)).toEqual(initial);
  });

  test('clearing removes the state of one tool, or of all tools, and nothing else', () => {
    storage.setItem('other', 'x');
    writeStored('one', initial, null, storage);
    writeStored('two', initial, null, storage);
    clearStored('one', storage);
    expect([...storage.kept.keys()].filter((name) => name.startsWith(`${STORED_PREFIX}one`))).toEqual([]);
    expect(storage.kept.has(`${STORED_PREFIX}two:step`)).toBe(true);
    clearStored(null, storage);
    expect([...storage.kept.keys()]).toEqual(['other']);
  });
});
