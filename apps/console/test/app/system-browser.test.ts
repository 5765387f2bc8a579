import { describe, expect, it } from 'vitest';
import {
  addressFindings,
  clockFindings,
  clocksAt,
  supportLine,
} from '../../src/tools/system/browser-view.ts';

const overview = (origin: string) => ({
  version: '1.0.0',
  node: 'v20',
  mode: 'production' as const,
  database: 'postgres' as const,
  startedAt: 0,
  seen: { origin, host: '', protocol: '', address: '', peer: '', headers: [] },
});
const states = (opened: string, origin: string) =>
  addressFindings(opened, overview(origin)).map(({ state }) => state);

describe('the system page in the browser', () => {
  it("compares the page's address with the configured one", () => {
    expect(states('https://lms-admin.example', 'https://lms-admin.example')).toEqual(['ok', 'ok']);
    expect(states('https://other.example', 'https://lms-admin.example')).toEqual(['warn', 'ok']);
    expect(states('http://lms-admin.example', 'https://lms-admin.example')).toEqual(['ok', 'fail']);
    expect(states('http://localhost:8080', 'http://localhost:8080')).toEqual(['ok', 'skip']);
  });

  it('assumes that an answer was made halfway through its request', () => {
    expect(clocksAt(1_000, 3_000, { server: 2_000, database: 2_500 })).toEqual({
      browser: 2_000,
      server: 2_000,
      database: 2_500,
    });
  });

  it('says which clock is ahead, and when the difference matters', () => {
    const found = (browser: number, database: number) =>
      clockFindings({ browser, server: 0, database }).map(({ state, message }) => [state, message]);
    expect(found(0, 0)).toEqual([
      ['ok', 'Browser and server have the same time.'],
      ['ok', 'Database and server have the same time.'],
    ]);
    expect(found(-30_000, 3_000)).toEqual([
      ['ok', 'Browser: 30 s behind the server.'],
      ['warn', 'Database: 3 s ahead of the server.'],
    ]);
    expect(found(61_000, 0)[0]?.[0]).toBe('warn');
  });

  it('adds a line to the support text, without an address', () => {
    const line = (opened: string) =>
      supportLine(opened, overview('https://lms-admin.example'), { browser: 40, server: 0, database: 0 });
    expect(line('https://lms-admin.example')).toBe(
      'Browser: address and https as in the settings, clock 0.0 s ahead of the server',
    );
    expect(line('https://other.example')).toContain('NOT as in the settings');
    expect(line('https://other.example')).not.toContain('example');
  });
});
