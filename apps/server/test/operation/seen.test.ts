/** Information that a proxy should pass on to the server, and the messages if it does not. */
import { describe, expect, test } from 'vitest';
import { proxyFindings, type Seen } from '../../src/operation/system/seen.ts';

const HTTPS: Seen = {
  origin: 'https://lms-admin.example',
  host: 'lms-admin.example',
  protocol: 'https',
  address: '203.0.113.7',
  peer: '127.0.0.1',
  headers: [{ name: 'x-forwarded-for', value: '203.0.113.7' }],
};
const states = (seen: Partial<Seen>, trusted: string[] = []) =>
  proxyFindings({ ...HTTPS, ...seen }, trusted).map(({ check, state }) => `${check} ${state}`);

describe('a proxy', () => {
  test('that passes everything on has no findings', () => {
    expect(states({})).toEqual(['proxy ok', 'https ok', 'host ok']);
    expect(states({ peer: '::ffff:10.0.0.5' }, ['10.0.0.0/8'])[0]).toBe('proxy ok');
  });

  test('that is not in TRUSTED_PROXIES is not trusted', () => {
    const [first] = proxyFindings({ ...HTTPS, peer: '10.0.0.5' }, []);
    expect(first).toMatchObject({ state: 'warn', next: expect.stringContaining('TRUSTED_PROXIES') });
  });

  test('that does not report the client or https, or reports another name, is named', () => {
    expect(states({ headers: [] })[0]).toBe('proxy warn');
    expect(states({ protocol: 'http' })[1]).toBe('https warn');
    expect(states({ host: 'inner:8080' })[2]).toBe('host fail');
  });

  test('is not needed on a single machine', () => {
    const local = { origin: 'http://localhost:8080', host: 'localhost:8080', protocol: 'http', headers: [] };
    expect(states(local)).toEqual(['proxy skip', 'https skip', 'host ok']);
  });
});
