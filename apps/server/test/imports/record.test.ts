import { describe, expect, test } from 'vitest';
import { mayLink } from '../../src/imports/record.ts';
import { oneLine } from '../../src/platform/audit.ts';

describe('links to attachments (OP-40)', () => {
  const lms = { url: 'https://lms.school.example', fileHosts: ['files.school.example'] };
  test.each([
    ['https://lms.school.example/files/1/download?verifier=x', true],
    ['https://lms.school.example:8443/files/1', true],
    ['https://files.school.example/a.csv', true],
    ['http://lms.school.example/files/1', false],
    ['http://files.school.example/a.csv', false],
    ['https://files.school.example.evil.example/a.csv', false],
    ['https://lms.school.example@evil.example/a.csv', false],
    ['https://someone@lms.school.example/a.csv', false],
    ['javascript:alert(1)', false],
    ['/files/1', false],
  ])('%s: %s', (url, allowed) => expect(mayLink(url, lms)).toBe(allowed));

  test('plain http only for the configured LMS itself', () => {
    const local = { url: 'http://localhost:8090', fileHosts: [] };
    expect(mayLink('http://localhost:8090/files/1', local)).toBe(true);
    expect(mayLink('http://localhost:8091/files/1', local)).toBe(false);
  });
});

test('LMS-24, OP-41: a line of the audit has no line breaks and an end', () => {
  expect(oneLine('a\r\nb\u2028c\u0000d')).toBe('a b c d');
  expect(oneLine('x'.repeat(5_000))).toHaveLength(2_000);
});
