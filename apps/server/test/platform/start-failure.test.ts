/** A failed start says why and what to do, and shows no stack trace. */
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/platform/config.ts';
import { startFailure } from '../../src/platform/start-failure.ts';

const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('the reason for a failed start', () => {
  it.each([
    [
      'a full disk',
      coded('ENOSPC', 'ENOSPC: no space left on device, write'),
      /the disk is full\. Free some space/,
    ],
    [
      'a full disk, reported by a child process',
      coded('1', 'Command failed: node -e …\nError: ENOSPC: no space left on device'),
      /the disk is full/,
    ],
    [
      'a full disk on the PostgreSQL server',
      new Error('Failed query', { cause: coded('53100', 'could not extend file') }),
      /full/,
    ],
    [
      'a folder that belongs to another user',
      coded('EACCES', "EACCES: permission denied, mkdir '/srv'"),
      /this permission to the user.*\/srv/,
    ],
    [
      'a folder that does not exist',
      coded('ENOENT', "ENOENT: no such file or directory, open '/srv/x'"),
      /does not exist.*\/srv\/x/,
    ],
    ['no PostgreSQL', new AggregateError([coded('ECONNREFUSED', 'x')], 'y'), /PostgreSQL does not answer/],
    [
      'a wrong password',
      coded('28P01', 'password authentication failed'),
      /user, password and database name/,
    ],
    [
      'a database user without permission to create tables',
      new Error('Failed query: CREATE SCHEMA', {
        cause: coded('42501', 'permission denied for database lms_admin'),
      }),
      /Make this user the owner of the database/,
    ],
    ['a port in use', coded('EADDRINUSE', 'listen EADDRINUSE: :::8080'), /Set PORT to a free port/],
    ['settings', new ConfigError(['PORT should be a number']), /- PORT should be a number/],
    [
      'anything else',
      new TypeError('x is not a function'),
      /^LMS Admin cannot start: x is not a function\.$/,
    ],
  ])('%s', (_, error, words) => {
    const said = startFailure(error);
    expect(said).toMatch(/^LMS Admin cannot start/);
    expect(said).toMatch(words);
    expect(said).not.toMatch(/\n\s+at |node:internal|\.ts:\d/);
  });
});
