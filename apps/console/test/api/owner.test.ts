import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepWorkOf } from '../../src/api/owner.ts';
import { writeStored } from '../../src/api/stored-state.ts';
import { handOver, takeHandedOver } from '../../src/components/Wizard/hand-over.ts';
import { MemoryStorage } from '../support/memory-storage.ts';

let storage: MemoryStorage;
beforeEach(() => {
  storage = new MemoryStorage();
  vi.stubGlobal('sessionStorage', storage);
});
afterEach(() => vi.unstubAllGlobals());

describe("one person's work kept in a tab", () => {
  it('OP-20 is cleared when another person signs in, whichever screens have been opened', () => {
    keepWorkOf(7);
    writeStored('a-tool', { people: ['ana@school.example'] }, null);
    handOver('create-users', ['bea@school.example']);
    keepWorkOf(7);
    expect(storage.kept.size).toBe(3);
    keepWorkOf(8);
    expect(JSON.stringify([...storage.kept])).not.toContain('school.example');
  });
});

describe('text passed from one tool to another', () => {
  it('CE-16 is read once, by the right tool', () => {
    handOver('create-users', ['ana@school.example']);
    expect(takeHandedOver('sis-import')).toBeNull();
    expect(takeHandedOver('create-users')).toEqual(['ana@school.example']);
    expect(takeHandedOver('create-users')).toBeNull();
  });

  it('without storage nothing is passed on and nothing breaks', () => {
    storage.full = true;
    handOver('create-users', ['ana@school.example']);
    expect(takeHandedOver('create-users')).toBeNull();
  });
});
