import { describe, expect, test } from 'vitest';
import { suggestionsOf } from '../../src/components/PeopleLookup/useSuggestions.ts';

const person = (name: string, login_id: string | null, sis_user_id: string | null) => ({
  name,
  login_id,
  sis_user_id,
});
const people = [
  person('Zoë O’Neill–Łukasz', 'zoe@northbridge.example', '5001'),
  person('Login without an address', 'zoe', '5002'),
  person('No SIS ID', 'none@northbridge.example', null),
  person('No login', null, '5003'),
];

describe('people suggested while a name is typed', () => {
  test('CE-09 for addresses, people are suggested whose login is an address', () => {
    expect(suggestionsOf('email', people, []).map(({ entry }) => entry)).toEqual([
      'zoe@northbridge.example',
      'none@northbridge.example',
    ]);
  });

  test('SE-11 for SIS IDs, people are suggested who have one', () => {
    expect(suggestionsOf('sis-id', people, []).map(({ entry }) => entry)).toEqual(['5001', '5002', '5003']);
  });

  test('people already in the list are not suggested, however their address is spelled', () => {
    expect(suggestionsOf('email', people, ['ZOE@northbridge.example']).map(({ name }) => name)).toEqual([
      'No SIS ID',
    ]);
  });
});
