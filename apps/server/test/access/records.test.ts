/** The access file is read strictly, and its mistakes are named (OP-12). */
import { readFile } from 'node:fs/promises';
import { FLAGS } from '@lms-admin/domain/access';
import { describe, expect, it } from 'vitest';
import { parseAccessFile, readAccessFile } from '../../src/access/file.ts';
import { fileRecords } from '../../src/access/records.ts';
import { ConfigError } from '../../src/platform/config.ts';

const GOOD = { login: 'a@school.example', email: 'a@school.example', perm: 'ALL' };

function problems(admins: unknown): string {
  try {
    parseAccessFile(JSON.stringify(admins), 'access.json');
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems.join('\n');
  }
  throw new Error('was accepted');
}

describe('OP-12 a broken record prevents startup; the error names the record and the field', () => {
  it.each([
    ['a missing perm', { ...GOOD, perm: undefined }, /record 1 \(login a@school\.example\): perm/],
    ['another perm (OP-13)', { ...GOOD, perm: 'SOME' }, /record 1 \(login a@school\.example\): perm/],
    ['a flag that is not exactly true or false', { ...GOOD, sis_import: 'true' }, /sis_import/],
    ['an unknown field', { ...GOOD, sis_imports: true }, /sis_imports: not a known field/],
    ['an unknown feature', { ...GOOD, feature_permissions: { fly: true } }, /fly: not a known field/],
    ['a list that is not a list', { ...GOOD, roles: '3;5' }, /roles: a comma-separated list of ids/],
    ['no email', { ...GOOD, email: 'a' }, /email/],
    ['no login', { ...GOOD, login: undefined }, /record 1: login/],
    [
      'a login that appears twice',
      { ...GOOD, login: 'FIRST@school.example' },
      /record 1 \(login FIRST.*more than once/,
    ],
    ['too long for the cookie', { ...GOOD, sub_accounts: '123456,'.repeat(500) + '1' }, /too long/],
  ])('%s', (_name, record, expected) => {
    expect(problems({ admins: [{ ...GOOD, login: 'first@school.example' }, record] })).toMatch(expected);
  });

  it('names all mistakes together, and rejects files that are not access files', () => {
    expect(
      problems({
        admins: [
          { ...GOOD, perm: 'x' },
          { ...GOOD, login: 'b', email: 'x' },
        ],
      }).split('\n'),
    ).toHaveLength(2);
    expect(problems([])).toMatch(/the file/);
    expect(problems({ admins: [], admin: [] })).toMatch(/admin/);
    expect(() => parseAccessFile('{', 'access.json')).toThrow(/access\.json is not JSON/);
  });

  it('a missing file is an error that says where the file should be', async () => {
    await expect(readAccessFile('no/such/file.json')).rejects.toThrow(
      /LMS_ADMIN_ACCESS.*no\/such\/file\.json.*ENOENT/,
    );
  });
});

describe('OP-12 the access files shipped with the product are valid', () => {
  it('in practice mode, logins are found in upper or lower case', async () => {
    const access = fileRecords(await readAccessFile('config/access.json'), Date.now);
    expect(access.find(' Alma.Reyes@NORTHBRIDGE.example ')?.perm).toBe('ALL');
    expect(access.find('hugo.tan@northbridge.example')).toBeNull();
    expect(access.find('constructor')).toBeNull();
  });

  it('PERM-03, PERM-04 the example explains every field', async () => {
    const text = await readFile('config/access.example.json', 'utf8');
    const access = fileRecords(await readAccessFile('config/access.example.json'), Date.now);
    const record = access.find('firstname.lastname@school.example');
    expect(record).not.toBeNull();
    for (const field of [...Object.keys(record ?? {}), ...FLAGS, 'login']) {
      expect(text).toContain(`"$comment_${field}"`);
      expect(text).toContain(`"${field}"`);
    }
  });
});
