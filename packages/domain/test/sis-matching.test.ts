/** The likely meaning of the columns of a file (SIS-05). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { likelyColumns, likelyTable, missingColumns, neededColumns, plainName } from '../src/sis-matching.ts';
import { SIS_TABLES, sisTableFor, sisTableOf } from '../src/sis-tables.ts';

const user = sisTableOf('user');
const enrollment = sisTableOf('enrollment');
const MAILS = [['a.b@school.example'], ['c@school.example']];

describe('SIS-05 header matching', () => {
  test.each([
    [
      'user',
      ['PeopleSoft ID', 'E-mail', 'First Name', 'Last_name', 'Shoe size'],
      ['user_id', 'login_id', 'first_name', 'last_name', ''],
    ],
    ['user', ['Student ID', 'Username', 'Email address'], ['user_id', 'login_id', 'email']],
    [
      'user',
      ['Matrikel-Nr.', 'E-Mail-Adresse', 'Vorname', 'Nachname', 'Zustand'],
      ['user_id', 'login_id', 'first_name', 'last_name', 'status'],
    ],
    [
      'user',
      ['N° étudiant', 'Courriel', 'Prénom', 'Nom', 'Statut'],
      ['user_id', 'login_id', 'first_name', 'last_name', 'status'],
    ],
    [
      'user',
      ['Matrícula', 'Correo electrónico', 'Nombre', 'Apellidos', 'Estado'],
      ['user_id', 'login_id', 'first_name', 'last_name', 'status'],
    ],
    [
      'enrollment',
      ['Course SIS ID', 'student id', 'ROLE ID', 'Status'],
      ['course_id', 'user_id', 'role_id', 'status'],
    ],
    [
      'enrollment',
      ['Kurs', 'Matrikelnummer', 'Rolle', 'Sektion'],
      ['course_id', 'user_id', 'role', 'section_id'],
    ],
  ] as const)('%s: %j', (kind, header, expected) => {
    const table = sisTableOf(kind);
    const cells = header.map((name) => (/mail|courriel|correo/i.test(name) ? 'a.b@school.example' : 'x'));
    expect(likelyColumns(table, header, [cells])).toEqual(expected);
    expect(likelyTable(header, [cells])?.kind).toBe(kind);
  });

  test('columns are recognised by their contents: addresses, statuses, role ids', () => {
    expect(likelyColumns(user, ['Contact'], MAILS)).toEqual(['login_id']);
    expect(likelyColumns(user, ['Z'], [['aktiv'], ['Active']])).toEqual(['status']);
    expect(likelyColumns(enrollment, ['Role'], [['3'], ['5']])).toEqual(['role']);
    expect(likelyColumns(enrollment, ['Rolle'], [['3'], ['5']])).toEqual(['role_id']);
    expect(likelyColumns(user, ['Login', 'Courriel'], [['x', 'no address']])).toEqual(['login_id', '']);
  });

  test('each template header matches itself, in any case and with spaces for underscores', () => {
    for (const table of SIS_TABLES) {
      const odd = table.columns.map((name, at) =>
        at % 2 === 0 ? name.toUpperCase() : name.replaceAll('_', ' '),
      );
      expect(likelyColumns(table, odd, [])).toEqual([...table.columns]);
      expect(missingColumns(table, table.columns)).toEqual([]);
    }
  });

  test('no column is used twice, all belong to the table, and their order does not matter', () => {
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom('E-mail', 'Mail', 'ID', 'Name', 'Nom', 'status', 'Role', 'Course'),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { maxLength: 8, selector: plainName }),
        fc.constantFrom(...SIS_TABLES),
        (header, table) => {
          const found = likelyColumns(table, header, []);
          const given = found.filter((one) => one !== '');
          expect(new Set(given).size).toBe(given.length);
          expect(given.every((one) => table.columns.includes(one))).toBe(true);
        },
      ),
    );
  });

  test('a table with all required columns is recognised', () => {
    for (const kind of ['user', 'enrollment'] as const) {
      const header = neededColumns(sisTableOf(kind)).map(([first]) => first ?? '');
      expect(sisTableFor(header)?.kind).toBe(kind);
      expect(likelyTable(header, [])?.kind).toBe(kind);
    }
    expect(likelyTable(['colour', 'size'], [['red', '3']])).toBeNull();
  });
});
