import { describe, expect, test } from 'vitest';
import { createAttachments } from '../../src/canvas/attachments.ts';
import { oneLine } from '../../src/platform/audit.ts';

const reader = (url: string, fileHosts: string[]) => createAttachments({ url, fileHosts, timeoutMs: 1_000 });

describe('attachment addresses that LMS Admin reads (OP-40)', () => {
  const lms = reader('https://lms.school.example', ['files.school.example']);
  test.each([
    ['https://lms.school.example/files/1/download?verifier=x', true],
    ['https://lms.school.example:8443/files/1', true],
    ['https://files.school.example/a.csv', true],
    ['https://inst-fs-iad-prod.inscloudgate.net/files/1?token=x', true],
    ['https://inscloudgate.net.evil.example/files/1', false],
    ['http://lms.school.example/files/1', false],
    ['http://files.school.example/a.csv', false],
    ['https://files.school.example.evil.example/a.csv', false],
    ['https://lms.school.example@evil.example/a.csv', false],
    ['https://someone@lms.school.example/a.csv', false],
    ['javascript:alert(1)', false],
    ['/files/1', false],
  ])('%s: %s', (url, allowed) => expect(lms.mayRead(url)).toBe(allowed));

  test('plain http is accepted only for the configured LMS', () => {
    const local = reader('http://localhost:8090', []);
    expect(local.mayRead('http://localhost:8090/files/1')).toBe(true);
    expect(local.mayRead('http://localhost:8091/files/1')).toBe(false);
  });
});

test('LMS-24, OP-41: a line of the audit log has no line breaks and a limited length', () => {
  expect(oneLine('a\r\nb\u2028c\u0000d')).toBe('a b c d');
  expect(oneLine('x'.repeat(5_000))).toHaveLength(2_000);
});
