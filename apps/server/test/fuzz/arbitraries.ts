/** Requests that the console would never send, and answers of an LMS that lies. */
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import fc from 'fast-check';

/** A request as sent over the connection. */
export interface FuzzRequest {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body: Buffer | null;
  /** Whether the session cookie is sent. */
  signedIn: boolean;
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '..',
    '__proto__',
    'constructor',
    '%',
    '%zz',
    '=1+1',
    '\r\nX: y',
    'null',
  ),
  fc
    .constantFrom('x', 'é', '\\', '"', '[', '{"a":')
    .chain((sign) => fc.integer({ min: 1, max: 60_000 }).map((n) => sign.repeat(n))),
);
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 1, 3, 101, 2 ** 53, 1e308));
const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), oddText, number, fc.array(number, { maxLength: 50 }));

/** Returns the value, or a replacement. */
const mostly = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: odd });

const email = fc.oneof(fc.constantFrom('alma.reyes@northbridge.example', 'nobody@x.example'), oddText);
const calls = fc.constantFrom(
  'accounts/1/terms',
  'accounts/1/sub_accounts?page=1',
  'accounts/86/courses?include[]=term',
  'accounts/1/users?search_term=alma',
  'users/sis_user_id:5001001',
  'courses/1/sections',
  'accounts/1/sis_imports',
  'accounts/1/sis_imports/1',
  'sections/1',
);
const call = fc.record(
  {
    url: mostly(
      fc.oneof(
        calls,
        fc.tuple(calls, oddText).map(([path, more]) => path + more),
      ),
    ),
    type: mostly(fc.constantFrom('GET', 'POST_SIS', 'PUT', 'POST', 'DELETE ')),
    payload: fc.oneof(
      odd,
      fc.record({ csv: odd, key: odd }),
      fc.record({ plan: fc.uuid() }),
      fc.record({ file: fc.uuid() }),
    ),
    header: odd,
  },
  { requiredKeys: ['url', 'type'] },
);
const plan = fc.record({
  key: mostly(fc.uuid()),
  input: mostly(
    fc.record({
      role_id: mostly(fc.constantFrom(3, 4, 5)),
      status: mostly(fc.constantFrom('active', 'deleted')),
      courses: mostly(fc.array(mostly(fc.integer({ min: 1, max: 300 })), { maxLength: 20 })),
      emails: mostly(fc.array(mostly(email), { maxLength: 20 })),
    }),
  ),
});
const sectionPlan = fc.record({
  key: mostly(fc.uuid()),
  input: fc.record({
    sections: mostly(
      fc.array(
        fc.record({
          course: mostly(fc.integer({ min: 1, max: 300 })),
          section: mostly(fc.integer({ min: 1, max: 600 })),
          role_id: mostly(fc.constant(3)),
          status: mostly(fc.constant('active')),
          users: mostly(fc.array(mostly(fc.constantFrom('5001001', '5001002')))),
        }),
        { maxLength: 5 },
      ),
    ),
  }),
});
const lookup = fc.record(
  { sis_ids: mostly(fc.array(oddText)), logins: mostly(fc.array(email)), emails: mostly(fc.array(email)) },
  { requiredKeys: [] },
);
const token = fc.record({ grant_type: mostly(fc.constant('authorization_code')), code: odd, state: odd });

const json = (body: unknown) => Buffer.from(JSON.stringify(body) ?? '');
/** Generates bytes of valid or damaged JSON. */
const damaged = (body: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 8, arbitrary: body.map(json) },
    {
      weight: 1,
      arbitrary: fc.tuple(body.map(json), fc.nat(500)).map(([bytes, at]) => bytes.subarray(0, at)),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom('[', '{"a":', '[1,', '"\\u00e9', '{"a":[],'),
          fc.integer({ min: 1, max: 60_000 }),
        )
        .map(([piece, times]) => Buffer.from(piece.repeat(times))),
    },
  );

const table = fc
  .array(
    fc.array(fc.oneof(oddText, fc.constantFrom('user_id', 'course_id', 'status', 'active', 'role_id', '3')), {
      maxLength: 6,
    }),
    {
      maxLength: 12,
    },
  )
  .map((rows) => Buffer.from(rows.map((cells) => cells.join(',')).join('\n')));
/** A form with a file of any content, and with any mistake. */
const form = fc
  .record({
    content: fc.oneof(
      table,
      fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
      fc.constant(Buffer.from('PK\u0003\u0004')),
    ),
    name: fc.oneof(fc.constantFrom('users.csv', 'x.zip', '../x', ''), fc.string({ maxLength: 30 })),
    field: fc.constantFrom('file', 'url', 'other'),
    end: fc.constantFrom('\r\n--b--\r\n', '', '\r\n--b'),
  })
  .map(({ content, name, field, end }) =>
    Buffer.concat([
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n`),
      content,
      Buffer.from(end),
    ]),
  );

const segment = fc.oneof(
  fc.uuid(),
  fc.integer({ min: 0, max: 1_000 }).map(String),
  fc.string({ maxLength: 30 }).map((text) => encodeURIComponent(Buffer.from(text).toString('utf8'))),
  fc.constantFrom('%00', '%zz', '..', '%2e%2e', '__proto__', '%ff'),
);
/** Generates a path with `:x` replaced, and perhaps a query. */
const pathOf = (template: string) =>
  fc
    .tuple(
      fc.array(segment, { minLength: 3, maxLength: 3 }),
      fc.array(
        fc.tuple(
          fc.constantFrom('page', 'text', 'from', 'to', 'course', 'file', 'return', 'kind', 'all', 'x[]'),
          segment,
        ),
        { maxLength: 3 },
      ),
    )
    .map(([values, query]) => {
      let next = 0;
      const path = template.replace(/:\w+/g, () => values[next++ % 3] ?? 'x');
      return query.length === 0
        ? path
        : `${path}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`;
    });
const anyPath = fc.oneof(
  fc.constantFrom(...Object.values(ENDPOINTS)).chain(pathOf),
  fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
  fc.constantFrom('//', '/api', '/API/jobs', '/%61pi/x', '/assets/..%2f..%2fetc', '/guide/%'),
);

const printable = fc.string({ unit: 'grapheme-ascii', maxLength: 60 });
const headers = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constantFrom(
        'accept',
        'accept-encoding',
        'accept-language',
        'if-none-match',
        'range',
        'x-forwarded-for',
        'x-forwarded-proto',
        'x-forwarded-host',
        'sec-fetch-site',
        'x-request-id',
        'te',
        'x-http-method-override',
      ),
      fc.oneof(
        printable,
        fc.constantFrom('gzip', 'br;q=x', 'bytes=0-1,9-', '203.0.113.9', 'cross-site', '*'),
      ),
    ),
    fc.tuple(
      fc.constant('cookie'),
      fc.oneof(
        printable,
        fc.tuple(printable, printable).map(([name, value]) => `${name}=${value}`),
        fc.constant('='.repeat(3_000)),
      ),
    ),
    fc.tuple(fc.constant('content-encoding'), fc.constantFrom('gzip', 'br', 'x', 'identity')),
  ),
  { maxLength: 3 },
) as fc.Arbitrary<[string, string][]>;

const post = (path: string, body: fc.Arbitrary<Buffer>, type = 'application/json') =>
  fc.record({
    method: fc.constant('POST'),
    path: fc.constant(path),
    headers: fc
      .tuple(headers, fc.oneof({ weight: 9, arbitrary: fc.constant(type) }, printable))
      .map(([more, kind]): [string, string][] => [...more, ['content-type', kind]]),
    body,
    signedIn: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
  });

/** Requests of every kind. */
export const request: fc.Arbitrary<FuzzRequest> = fc.oneof(
  post(ENDPOINTS.invoke, damaged(call)),
  post(ENDPOINTS.invokePages, damaged(call)),
  post(jobStartPath('course-plan'), damaged(plan)),
  post(jobStartPath('section-plan'), damaged(sectionPlan)),
  post(ENDPOINTS.peopleLookup, damaged(lookup)),
  post(ENDPOINTS.token, damaged(token)),
  post(ENDPOINTS.logStatus, damaged(fc.record({ status: odd, email: odd }, { requiredKeys: [] }))),
  post(ENDPOINTS.sisFiles, form, 'multipart/form-data; boundary=b'),
  fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE', 'PUT', 'POST', 'PATCH'),
    path: anyPath,
    headers,
    body: fc.constant(null),
    signedIn: fc.boolean(),
  }),
);

/** Distortions that a lying LMS applies to a true answer. */
export type Lie =
  | { kind: 'status'; status: number }
  | { kind: 'body'; body: string }
  | { kind: 'cut'; at: number }
  | { kind: 'header'; name: string; value: string }
  /** Replaces every n-th value of the JSON. */
  | { kind: 'value'; every: number; value: unknown };

export const lie: fc.Arbitrary<Lie> = fc.oneof(
  fc.record({
    kind: fc.constant('status' as const),
    status: fc.constantFrom(200, 204, 301, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 503, 599),
  }),
  fc.record({
    kind: fc.constant('body' as const),
    body: fc.oneof(
      odd.map((value) => JSON.stringify(value) ?? ''),
      oddText,
      fc.constantFrom('', '<html>', '[', '{}', '[]', 'null', '[null]', '[{}]'),
    ),
  }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(2_000) }),
  fc.record({
    kind: fc.constant('header' as const),
    name: fc.constantFrom(
      'link',
      'date',
      'retry-after',
      'x-rate-limit-remaining',
      'content-type',
      'content-encoding',
      'location',
    ),
    value: fc.oneof(
      printable,
      fc.constantFrom(
        'gzip',
        '-1',
        '1e99',
        'Thu, 01 Jan 1970 00:00:00 GMT',
        '<https://evil.example/api/v1/x>; rel="next"',
        '</api/v1/accounts/1/terms?page=1>; rel="next"',
        '<>; rel=next',
        'NaN',
      ),
    ),
  }),
  fc.record({ kind: fc.constant('value' as const), every: fc.integer({ min: 1, max: 40 }), value: odd }),
);
