/** JSON in pieces, and schemas in turns: the same result as in one go, whatever the input. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { COURSE_PLAN, MEMBER_PLAN, SECTION_PLAN } from '@lms-admin/contract/plan-kinds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonIn } from '../../src/platform/json-body.ts';
import { readInTurns } from '../../src/platform/read-in-turns.ts';
import { PEOPLE, startTestServer } from '../support/harness.ts';

const read = (text: string) => jsonIn(Buffer.from(text));

/** Values with lists, objects and texts that are long enough to be split. */
const filler = fc
  .constantFrom('x', 'é', '😀', '\\', '"', '\u0000', '\n', ',', '[', '}', ':')
  .chain((sign) => fc.integer({ min: 1, max: 50_000 }).map((length) => sign.repeat(length)));
const large = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    filler,
    fc.jsonValue(),
    fc
      .tuple(tie('value'), fc.integer({ min: 0, max: 9_000 }))
      .map(([one, times]) => [one, ...Array(times).fill(7), one]),
    fc.dictionary(
      fc.string().filter((name) => name !== '__proto__' && name !== 'constructor'),
      tie('value'),
    ),
    fc.array(tie('value')),
  ),
})).value;

describe('JSON in pieces', () => {
  it('is read as the ordinary parser reads it', async () => {
    await fc.assert(
      fc.asyncProperty(large, fc.constantFrom(undefined, 1, '\t'), async (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(await read(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 30 },
    );
  });

  it('is rejected as the ordinary parser rejects it, wherever it is damaged', async () => {
    const whole = JSON.stringify({
      a: Array.from({ length: 9_000 }, (_, index) => `${index}`),
      b: { c: 'x"\\'.repeat(20_000), d: [[], {}, [1, [2]], Array(20_000).fill(1)] },
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length),
        fc.nat(3),
        fc.constantFrom('', ',', '"', '[', ']', '{', '}', ':', '\\', '1', 'null', ' ', '[1]', '\n', '"",'),
        async (at, removed, put) => {
          const text = whole.slice(0, at) + put + whole.slice(at + removed);
          let expected: unknown;
          try {
            expected = JSON.parse(text);
          } catch {
            await expect(read(text)).rejects.toThrow(SyntaxError);
            return;
          }
          expect(await read(text)).toEqual(expected);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['two values', `[${'1,'.repeat(40_000)}1] [${'1,'.repeat(40_000)}1]`],
    ['a comma after the end', `[${'1,'.repeat(40_000)}1],`],
    ['anything after that comma', `[${'1,'.repeat(40_000)}1], "more" nonsense`],
    ['one comma too many', `[${'1,'.repeat(40_000)}]`],
    ['one comma too many before something large', `[,[${'1,'.repeat(40_000)}1]]`],
    ['no comma', `["a" [${'1,'.repeat(40_000)}1]]`],
    ['brackets that do not match', `[${'1,'.repeat(40_000)}1}`],
    ['a large property name', `{"${'x'.repeat(100_000)}":1}`],
    ['one bracket too many', `[${'1,'.repeat(40_000)}1]]`],
    ['an unterminated string', `"${'x'.repeat(100_000)}`],
    ['a large string with a line break', `"${'x'.repeat(40_000)}\n${'x'.repeat(40_000)}"`],
  ])('with %s is rejected', async (_, text) => {
    await expect(read(text)).rejects.toThrow(SyntaxError);
  });
});

describe('schemas in turns', () => {
  const schema = z.strictObject({
    many: z.array(z.string().trim().max(5)).min(1).max(50_000),
    groups: z.array(z.strictObject({ of: z.array(z.number()), name: z.string() })).default([]),
  });

  it('give the same result as the schema in one go', async () => {
    const one = fc.oneof(
      { weight: 2_000, arbitrary: fc.constant(' a ') },
      fc.constant(7),
      fc.constant('too long'),
    );
    const group = fc.record({
      of: fc.integer({ min: 0, max: 5_000 }).map((length) => Array(length).fill(1)),
      name: fc.oneof({ weight: 20, arbitrary: fc.string() }, fc.constant(1)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            many: fc.array(one, { maxLength: 5_000, size: 'max' }),
            groups: fc.array(group, { maxLength: 5 }),
            other: fc.constant(1),
          },
          { requiredKeys: ['many'] },
        ),
        async (value) => {
          const [inTurns, whole] = [await readInTurns(schema, value), schema.safeParse(value)];
          expect(inTurns.data).toEqual(whole.success ? whole.data : null);
          const said = (issues: readonly z.core.$ZodIssue[]) =>
            issues.map(({ path, message }) => `${path.join('.')}: ${message}`).sort();
          expect(said(inTurns.issues ?? [])).toEqual(said(whole.error?.issues ?? []));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('stop early if there are too many mistakes, and do not check the members of a list that is too long', async () => {
    const many = { many: Array(49_000).fill(1) };
    expect((await readInTurns(schema, many)).issues?.length).toBeLessThan(12_000);
    expect((await readInTurns(schema, { many: Array(1_000_000).fill(1) })).issues).toHaveLength(1);
  });
});

describe('size of a body', () => {
  it('is at most a megabyte, except for lists that are sent as a whole', async () => {
    const test = await startTestServer();
    try {
      const larger = test.server.routes.flatMap(({ path, bodyLimit = 1_048_576 }) =>
        bodyLimit > 1_048_576 ? [path] : [],
      );
      expect(larger.sort()).toEqual(
        [
          ENDPOINTS.invoke,
          ENDPOINTS.accessReview,
          ENDPOINTS.accessSave,
          ENDPOINTS.awardList,
          ...[COURSE_PLAN, SECTION_PLAN, MEMBER_PLAN].map(jobStartPath),
        ].sort(),
      );
    } finally {
      await test.close();
    }
  });

  it('OP-34 can be more than a megabyte only for people whose tools submit rows', async () => {
    const test = await startTestServer();
    try {
      const body = JSON.stringify({ type: 'GET', url: 'accounts/1/terms', header: 'x'.repeat(2_000_000) });
      const ask = async (login: string, path: string = ENDPOINTS.invoke) => {
        const browser = await test.signIn(login);
        const headers = { 'content-type': 'application/json' };
        return (await browser.fetch(path, { method: 'POST', headers, body })).status;
      };
      expect(await ask(PEOPLE.all)).toBe(200);
      expect(await ask(PEOPLE.custom)).toBe(200);
      for (const login of [PEOPLE.noTool, PEOPLE.helpDesk, PEOPLE.records])
        expect(await ask(login)).toBe(413);
      expect(await ask(PEOPLE.all, ENDPOINTS.logStatus)).toBe(413);
    } finally {
      await test.close();
    }
  });

  it('is limited in the same way without an announced length; each person can send one large body at a time', async () => {
    const test = await startTestServer();
    try {
      const browser = await test.signIn(PEOPLE.custom);
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const url = new URL(test.url);
      const begin = async (more: string) => {
        const socket = connect(Number(url.port), url.hostname);
        await once(socket, 'connect');
        socket.write(
          `POST ${ENDPOINTS.invoke} HTTP/1.1\r\nHost: ${url.host}\r\nCookie: ${cookie}\r\nOrigin: ${test.url}\r\n` +
            `Content-Type: application/json\r\n${more}\r\n\r\n`,
        );
        return socket;
      };
      // A client that leaves while its session is still being looked up does not occupy a place.
      for (let count = 0; count < 5; count++) (await begin('Content-Length: 2000000')).destroySoon();
      const slow = await begin('Content-Length: 2000000');
      slow.write('{');
      const piece = Buffer.alloc(1_000_000, 'x');
      const second = await begin('Transfer-Encoding: chunked');
      let answered = '';
      second.on('data', (data) => {
        answered += String(data);
      });
      for (let count = 0; count < 30; count++)
        second.write(Buffer.concat([Buffer.from('f4240\r\n'), piece, Buffer.from('\r\n')]));
      // Small bodies do not have to wait.
      expect((await browser.invoke('accounts/1/terms')).status).toBe(200);
      expect(answered).toBe('');
      slow.destroy();
      await once(second, 'data');
      expect(answered).toMatch(/^HTTP\/1.1 413 /);
      second.destroy();
    } finally {
      await test.close();
    }
  });
});
