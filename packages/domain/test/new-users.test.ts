import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  duplicateFields,
  NEW_USER_FIELDS,
  type NewUser,
  newUserProblems,
  normalNewUser,
  USER_HEADER,
  userCells,
  userColumns,
  usersCsv,
} from '../src/new-users.ts';
import { isTable, pastedUsers } from '../src/new-users-paste.ts';

const DOMAIN = 'school.example';
const person = (some: Partial<NewUser> = {}): NewUser => ({
  psID: '1234',
  email: 'ann.lee@school.example',
  firstName: 'Ann',
  lastName: 'Lee',
  ...some,
});
const problem = (some: Partial<NewUser>) => newUserProblems(person(some), DOMAIN);

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
const anyRow = fc.record({ psID: anyText, email: anyText, firstName: anyText, lastName: anyText });
const letters = fc.constantFrom(...'abzABZéÉßıİiIñŉǰǆΣσςΐдЯ王მაאع-  '.split(''), 'é', 'ñ', 'Å', 'क्');
const name = fc
  .array(letters, { minLength: 1, maxLength: 20 })
  .map((signs) => signs.join(''))
  .filter((text) => newUserProblems(person({ firstName: text }), DOMAIN).firstName === undefined);
const goodRow = fc.record({
  psID: fc.stringMatching(/^[0-9]{1,10}$/),
  email: fc.stringMatching(/^[\w.-]{1,12}$/).map((local) => `${local}@${DOMAIN}`),
  firstName: name,
  lastName: name,
});

describe('checking a row', () => {
  test.each([
    ['1234', undefined],
    [' 007 ', undefined],
    ['', 'missing'],
    ['  ', 'missing'],
    ['12a', 'not-digits'],
    ['12 34', 'not-digits'],
    ['-12', 'not-digits'],
    ['1.5', 'not-digits'],
    ['١٢٣', 'not-digits'],
    ['１２', 'not-digits'],
    ['9'.repeat(33), 'too-long'],
  ])('CU-17: the PeopleSoft id %j is %s', (psID, expected) => {
    expect(problem({ psID })).toEqual(expected === undefined ? {} : { psID: expected });
  });

  test.each([
    ['ann.lee@school.example', undefined],
    [' Ann_Lee-2@SCHOOL.example ', undefined],
    ['', 'missing'],
    ['ann+lee@school.example', 'not-school-email'],
    ["ann.o'lee@school.example", 'not-school-email'],
    ['ann@sub.school.example', 'not-school-email'],
    ['ann@notschool.example', 'not-school-email'],
    ['ann@school.example.com', 'not-school-email'],
    ['ann@schoolxexample', 'not-school-email'],
    ['@school.example', 'not-school-email'],
    ['ann@lee@school.example', 'not-school-email'],
    ['ann lee@school.example', 'not-school-email'],
    ['ann@school.example\nx', 'not-school-email'],
    ['zoë@school.example', 'not-school-email'],
    // The Kelvin sign becomes a Latin k in lower case.
    ['\u212Aim@school.example', 'not-school-email'],
    [`${'a'.repeat(85)}@school.example`, undefined],
    [`${'a'.repeat(86)}@school.example`, 'too-long'],
  ])('CU-18, CU-19, CU-20, OP-57: the email %j is %s', (email, expected) => {
    expect(problem({ email })).toEqual(expected === undefined ? {} : { email: expected });
  });

  test.each([
    ['Ann', undefined],
    ['Jean-Pierre', undefined],
    [' de  la Cruz ', undefined],
    ['Zoë', undefined],
    ['Zoe\u0308', undefined],
    ['王小明', undefined],
    ['अनिल', undefined],
    ['', 'missing'],
    [' \u00a0 ', 'missing'],
    ["O'Brien", 'not-a-name'],
    ['O’Brien', 'not-a-name'],
    ['Ann2', 'not-a-name'],
    ['Lee, Ann', 'not-a-name'],
    ['Ann.', 'not-a-name'],
    ['-', 'not-a-name'],
    ['- -', 'not-a-name'],
    ['\u0301', 'not-a-name'],
    ['-\u0301Ann', 'not-a-name'],
    ['An\u0000n', 'not-a-name'],
    ['Ann\u200b', 'not-a-name'],
    ['a'.repeat(101), 'too-long'],
    ['ß'.repeat(50), undefined],
  ])('CU-23, OP-56: the name %j is %s', (text, expected) => {
    expect(problem({ firstName: text })).toEqual(expected === undefined ? {} : { firstName: expected });
    expect(problem({ lastName: text })).toEqual(expected === undefined ? {} : { lastName: expected });
  });

  test('CU-23: a name whose capitals are too long is too long, as the server finds it', () => {
    expect(problem({ lastName: 'ß'.repeat(51) })).toEqual({ lastName: 'too-long' });
  });

  test('OP-57: special pattern characters in a domain are literal; without a domain no address is valid', () => {
    expect(newUserProblems(person({ email: 'a@b-c.example' }), 'B-C.example')).toEqual({});
    expect(newUserProblems(person(), '').email).toBe('not-school-email');
    expect(newUserProblems(person(), '.*').email).toBe('not-school-email');
  });

  test('property: any text is checked without failing, and valid texts are plain', () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        const problems = newUserProblems(row, DOMAIN);
        const normal = normalNewUser(row);
        if (!problems.psID) expect(normal.psID).toMatch(/^[0-9]{1,32}$/);
        if (!problems.email) expect(normal.email).toMatch(/^[a-z0-9_.-]+@school\.example$/);
        if (!problems.firstName) expect(normal.firstName).toMatch(/^[\p{L}\p{M} -]+$/u);
        expect(normalNewUser(normal)).toEqual(normal);
        expect(newUserProblems(normal, DOMAIN)).toEqual(problems);
      }),
    );
  });
});

describe('duplicates', () => {
  test('OP-58: duplicates are errors in the later rows, compared by normalised value; empty fields do not count', () => {
    const rows = [
      person({ psID: '1', email: 'a@school.example' }),
      person({ psID: ' 1', email: 'A@School.example ' }),
      person({ psID: '01', email: '' }),
      person({ psID: '', email: '' }),
      person({ psID: '1', email: 'b@school.example' }),
    ];
    expect([...duplicateFields(rows)]).toEqual([
      [1, { psID: 0, email: 0 }],
      [4, { psID: 0 }],
    ]);
  });

  test('property: without the reported rows there are no duplicates', () => {
    const few = fc.record({
      psID: fc.constantFrom('', '1', '2', ' 2'),
      email: fc.constantFrom('', 'a@x.y', 'A@x.y', 'b@x.y'),
    });
    fc.assert(
      fc.property(fc.array(few), (some) => {
        const rows = some.map((one) => person(one));
        const found = duplicateFields(rows);
        for (const [index, fields] of found)
          for (const first of Object.values(fields)) expect(first).toBeLessThan(index);
        expect(duplicateFields(rows.filter((_, index) => !found.has(index))).size).toBe(0);
      }),
    );
  });
});

describe('the row for sending', () => {
  test('CU-13, CU-14, CU-15, CU-16: every column is derived from the form', () => {
    const row = {
      psID: ' 42 ',
      email: 'Ann.Lee@School.example',
      firstName: ' jean-PIERRE  luc',
      lastName: 'de la cruz',
    };
    expect(userCells(row)).toEqual({
      user_id: '42',
      integration_id: '42',
      login_id: 'ann.lee@school.example',
      first_name: 'Jean-Pierre Luc',
      last_name: 'DE LA CRUZ',
      sortable_name: 'DE LA CRUZ, Jean-Pierre Luc',
      short_name: 'Jean-Pierre Luc DE LA CRUZ',
      email: 'ann.lee@school.example',
      status: 'active',
    });
  });

  test.each([
    ['ÉLODIE', 'Élodie'],
    ['e\u0301lodie', 'Élodie'],
    ['ßen', 'Ssen'],
    ['ΟΔΥΣΣΕΥΣ', 'Οδυσσευς'],
    ['İBRAHİM', 'İbrahim'],
    ['ivan', 'Ivan'],
    ['ǆemal', 'ǅemal'],
    ['მარიამ', 'მარიამ'],
    ['王', '王'],
    ['mcDONALD', 'Mcdonald'],
  ])('CU-14, OP-59: the first name %s becomes %s', (firstName, expected) => {
    expect(userCells(person({ firstName })).first_name).toBe(expected);
  });

  test.each([
    ['Weiß', 'WEISS'],
    ['d\u0061\u0301vila', 'DÁVILA'],
    ['ivanov', 'IVANOV'],
    ['ΐδης', 'Ϊ́ΔΗΣ'],
  ])('CU-14, OP-59: the last name %s becomes %s', (lastName, expected) => {
    expect(userCells(person({ lastName })).last_name).toBe(expected);
  });

  test('property: valid names stay valid, and a second conversion changes nothing', () => {
    fc.assert(
      fc.property(goodRow, (row) => {
        const { first_name, last_name } = userCells(row);
        const again = { ...row, firstName: first_name, lastName: last_name };
        expect(newUserProblems(again, DOMAIN)).toEqual({});
        expect(userCells(again)).toEqual(userCells(row));
      }),
    );
  });

  test('CU-12, CU-15, OP-59: the CSV has the documented header; only sortable_name is always quoted', () => {
    expect(usersCsv([person({ firstName: 'jean luc' })])).toBe(
      `${USER_HEADER.join(',')}\n1234,1234,ann.lee@school.example,Jean luc,LEE,"LEE, Jean luc",Jean luc LEE,ann.lee@school.example,active`.replaceAll(
        'Jean luc',
        'Jean Luc',
      ),
    );
    expect(USER_HEADER.join(', ')).toBe(
      'user_id, integration_id, login_id, first_name, last_name, sortable_name, short_name, email, status',
    );
  });

  test('property: the CSV is read back as the cells of every row, whatever they contain', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(goodRow, anyRow), { minLength: 1 }), (rows) => {
        const read: string[][] = parse(usersCsv(rows), { record_delimiter: '\n' });
        expect(read.slice(1)).toEqual(rows.map((row) => USER_HEADER.map((column) => userCells(row)[column])));
      }),
    );
  });

  test('CU-12: a header is recognised in any order, but only if complete', () => {
    const turned = USER_HEADER.toReversed();
    expect(userColumns(turned)?.get('status')).toBe(0);
    expect(userColumns(turned.map((column) => ` ${column.toUpperCase()} `))?.get('user_id')).toBe(8);
    expect(userColumns(turned.slice(1))).toBeNull();
    expect(userColumns([...turned, 'password'])).toBeNull();
    expect(userColumns([...turned.slice(1), 'user_id'])).toBeNull();
  });
});

describe('pasting from a spreadsheet', () => {
  const rowsOf = (text: string, start: keyof NewUser = 'psID', most = 1_000) =>
    pastedUsers(text, start, most).rows;
  const ann = { psID: '0012', email: 'ann@school.example', firstName: 'Ann', lastName: 'Lee' };

  test.each([
    ['tabs', '0012\tann@school.example\tAnn\tLee\r\n'],
    ['semicolons', '0012;ann@school.example;Ann;Lee'],
    ['commas', '\n0012, ann@school.example, Ann, Lee\n\n'],
    ['quotes', '"0012"\t"ann@school.example"\t"Ann"\tLee'],
    ['line breaks in a cell', '"\n0012"\t"ann@school.example\n"\t"\r\nAnn\n"\tLee'],
    ['a byte order mark', '\uFEFF0012\tann@school.example\tAnn\tLee'],
    ['a header', 'PeopleSoft ID\tE-mail\tFirst Name\tLast Name\n0012\tann@school.example\tAnn\tLee'],
    ['columns in another order', 'Last Name,First,Email,psID\nLee,Ann,ann@school.example,0012'],
    ['one column too many', '0012\tann@school.example\tAnn\tLee\tnote'],
    [
      'the header that the LMS uses',
      'user_id,integration_id,login_id,first_name,last_name\n0012,0012,ann@school.example,Ann,Lee',
    ],
  ])('CU-03: %s', (_name, text) => {
    expect(rowsOf(text)).toEqual([ann]);
  });

  test('CU-03: one column fills its field downwards, two columns fill neighbouring fields, and four start at the id', () => {
    expect(rowsOf('a@x.y\nb@x.y\n', 'email')).toEqual([{ email: 'a@x.y' }, { email: 'b@x.y' }]);
    expect(rowsOf('Ann\tLee\nBea\tMoe', 'firstName')).toEqual([
      { firstName: 'Ann', lastName: 'Lee' },
      { firstName: 'Bea', lastName: 'Moe' },
    ]);
    expect(rowsOf('0012\tann@school.example\tAnn\tLee', 'lastName')).toEqual([ann]);
  });

  test('quoted cells can contain separators, line endings and quotes; a single quote is an ordinary character', () => {
    expect(rowsOf('1\t"a\tb"\t"say ""x"""\t"two\nlines"')).toEqual([
      { psID: '1', email: 'a\tb', firstName: 'say "x"', lastName: 'two lines' },
    ]);
    expect(rowsOf('1\t"a\t5"b\tc"')).toEqual([{ psID: '1', email: '"a', firstName: '5"b', lastName: 'c"' }]);
  });

  test('a single cell is not a table, whatever it contains', () => {
    for (const text of ['Ann', ' ann@school.example\n', 'Lee, Ann', 'a;b', '"Ann"', ''])
      expect(isTable(text)).toBe(false);
    for (const text of ['1\t2', '1\n2', '1;2;3;4', '\ta']) expect(isTable(text)).toBe(true);
  });

  test('only the maximum number of rows is accepted; the rest are counted', () => {
    expect(pastedUsers('1\n2\n3', 'psID', 2)).toEqual({
      rows: [{ psID: '1' }, { psID: '2' }],
      leftOut: 1,
      notTaken: [{ text: '3', why: 'the form is full' }],
    });
  });

  test('CU-03: columns without a field are named, with the reason', () => {
    const named = pastedUsers('Campus\tID\tE-mail\tLogin\nA\t1\ta@x.org\tann', 'psID', 9);
    expect(named.rows).toEqual([{ psID: '1', email: 'a@x.org' }]);
    expect(named.notTaken).toEqual([
      { text: "Column 1, 'Campus'", why: 'the form has no field with this name' },
      { text: "Column 4, 'Login'", why: 'column 3 was used for the same field' },
    ]);
    expect(pastedUsers('1\ta@x.org\tAnn\tLee\tLakeside', 'psID', 9).notTaken).toEqual([
      { text: "Column 5, 'Lakeside'", why: 'the form has no field for it' },
    ]);
  });

  test('any number of quotes does not slow down reading', () => {
    expect(rowsOf('"""\n'.repeat(50_000), 'psID', 3)).toHaveLength(3);
  });

  test('property: people rows are read back from tab-separated lines, in order', () => {
    fc.assert(
      fc.property(fc.array(goodRow, { minLength: 1, maxLength: 20 }), (rows) => {
        const text = rows.map((row) => NEW_USER_FIELDS.map((field) => row[field].trim()).join('\t'));
        const back = pastedUsers(text.join('\r\n'), 'psID', 1_000).rows as NewUser[];
        expect(back.map(normalNewUser)).toEqual(rows.map(normalNewUser));
      }),
    );
  });

  test('property: any text is read without failing', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...NEW_USER_FIELDS), (text, start) => {
        expect(pastedUsers(text, start, 5).rows.length).toBeLessThanOrEqual(5);
      }),
    );
  });
});
