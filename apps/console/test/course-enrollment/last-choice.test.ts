import { describe, expect, test } from 'vitest';
import { lastChoice, rememberChoice } from '../../src/components/CoursePicker/last-choice.ts';

function store(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
    clear: () => kept.clear(),
    key: () => null,
    length: 0,
  };
}

const mim = { id: 120, name: 'MIM' };
const open = { id: 7, name: 'Open Enrolment' };
const below = { id: 8, name: 'Leadership' };
const terms = [
  { id: 1, name: 'S1' },
  { id: 2, name: 'S2' },
];
const own = new Set([mim.id]);

describe('the most recent programme and terms', () => {
  test('PICK-17 PICK-19 are offered to the same administrator, with their current names', () => {
    const storage = store();
    rememberChoice('a@x.example', { programme: mim, subAccounts: [mim], terms }, storage);
    const renamed = [{ id: mim.id, name: 'MIM (new)' }];
    expect(lastChoice('a@x.example', renamed, terms, own, storage)).toEqual({
      programme: renamed[0],
      subAccounts: renamed,
      terms,
    });
    expect(lastChoice('b@x.example', renamed, terms, own, storage)).toBeNull();
  });

  test('PICK-01 PICK-03 are not offered if the person has lost access to them', () => {
    const storage = store();
    rememberChoice('a@x.example', { programme: open, subAccounts: [below], terms }, storage);
    expect(lastChoice('a@x.example', [open], terms.slice(1), own, storage)).toEqual({
      programme: open,
      subAccounts: [below],
      terms: terms.slice(1),
    });
    expect(lastChoice('a@x.example', [open], [], own, storage)).toBeNull();
    expect(lastChoice('a@x.example', [mim], terms, own, storage)).toBeNull();
  });

  test('PICK-01 are ignored if the stored value does not have the expected shape', () => {
    const storage = store();
    storage.setItem('lms-admin:last-choice:a@x.example', '{"programme":1}');
    expect(lastChoice('a@x.example', [mim], terms, own, storage)).toBeNull();
  });
});
