/**
 * How an outbound request fails: at each stage, by name, with what is known about its effect; and what is
 * retried.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutbound } from '../../src/outbound/outbound.ts';
import type { OutboundRequest } from '../../src/outbound/types.ts';
import { toAppError } from '../../src/platform/http-errors.ts';
import { type Asked, closeAll, event, failure, outside } from './support.ts';

afterEach(closeAll);

const read: OutboundRequest = { method: 'GET', path: '/x' };
const write: OutboundRequest = { method: 'POST', path: '/x', body: '{}' };

describe('time limits', () => {
  it('for connecting mean that nothing was sent', async () => {
    // Accepts the connection and never starts the TLS handshake.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const outbound = createOutbound({ system: 'Zoom', origin: `https://127.0.0.1:${port}`, connectMs: 100 });
    try {
      expect(await failure(outbound.request({ ...write, bodyOnce: true }))).toMatchObject({
        kind: 'down',
        sent: 'no',
        detail: 'UND_ERR_CONNECT_TIMEOUT',
      });
    } finally {
      await outbound.close();
      silent.close();
    }
  });

  it('for the first byte, and for a pause halfway, mean that the result of a write is unknown, and the write is not retried', async () => {
    for (const begin of [false, true]) {
      const { outbound, seen } = await outside(
        (_, response) => {
          if (begin) response.writeHead(200).write('begun');
        },
        { firstByteMs: 100, pauseMs: 100 },
      );
      const error = await failure(outbound.request(write));
      expect(error).toMatchObject({ kind: 'timeout', sent: 'maybe', status: begin ? 200 : null });
      expect(seen).toHaveLength(1);
    }
  });

  it('for the whole answer apply even if it never pauses and never ends', async () => {
    const left = event();
    const { outbound } = await outside(
      (_, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 5);
        response.on('close', () => {
          clearInterval(drip);
          left.tell();
        });
      },
      { wholeMs: 200 },
    );
    expect(await failure(outbound.request(read))).toMatchObject({ kind: 'timeout', sent: 'maybe' });
    await left.happened;
    expect(outbound.stats()).toMatchObject({ inFlight: 0, outcomes: { timeout: 1 } });
  });
});

describe('a dropped connection', () => {
  it('before it is established means that nothing was sent, so even a write is retried, and then the failure is named', async () => {
    const { outbound, stop } = await outside(() => undefined);
    await stop();
    expect(await failure(outbound.request(write))).toMatchObject({
      kind: 'down',
      sent: 'no',
      status: null,
      detail: 'ECONNREFUSED',
    });
    expect(outbound.stats().calls).toBe(3);
  });

  const stages: [string, (request: Asked) => void][] = [
    ['after the request', (request) => void request.socket.destroy()],
    ['within the head', (request) => void request.socket.end('HTTP/1.1 200 OK\r\nconte')],
    ['before the body', (request) => void request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n')],
    [
      'within the body',
      (request) => void request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab'),
    ],
    [
      'within a body of unknown length',
      (request) =>
        void request.socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n'),
    ],
    ['by an answer that is no HTTP', (request) => void request.socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
  ];
  it.each(stages)('%s: a read is retried, but a write never is', async (_name, drop) => {
    const { outbound, seen } = await outside((request, response, count) => {
      if (count === 1 || request.method === 'POST') drop(request);
      else response.end('fine');
    });
    expect((await outbound.request(read)).text).toBe('fine');
    expect(seen).toHaveLength(2);
    expect(await failure(outbound.request(write))).toMatchObject({ kind: 'down', sent: 'maybe' });
    expect(seen).toHaveLength(3);
  });

  it('methods that are safe to repeat are retried, unless the request says otherwise', async () => {
    const { outbound, seen } = await outside((request, response, count) => {
      if (count === 1) request.socket.destroy();
      else response.end();
    });
    await outbound.request({ method: 'PUT', path: '/x', body: 'a' });
    expect(seen).toHaveLength(2);
    const other = await outside((request) => void request.socket.destroy());
    const error = await failure(other.outbound.request({ method: 'DELETE', path: '/x', repeatable: false }));
    expect(error).toMatchObject({ kind: 'down', sent: 'maybe' });
    expect(other.seen).toHaveLength(1);
  });

  it('a body that can be read only once is not sent a second time', async () => {
    const { outbound, seen } = await outside((request) => void request.socket.destroy());
    async function* once() {
      yield 'a,b\n';
      yield '1,2\n';
    }
    const rows = once();
    await failure(outbound.request({ method: 'PUT', path: '/x', body: () => rows, bodyOnce: true }));
    expect(seen.map(({ body }) => body)).toEqual(['a,b\n1,2\n']);
  });
});

describe('answers', () => {
  it('after a 5xx, a read is retried at most twice; a write gets the answer as it is', async () => {
    const { outbound, seen } = await outside((_, response) => response.writeHead(503).end('busy'));
    expect(await outbound.request(read)).toMatchObject({ status: 503, text: 'busy' });
    expect(seen).toHaveLength(3);
    expect((await outbound.request(write)).status).toBe(503);
    expect(seen).toHaveLength(4);
    expect(outbound.stats()).toMatchObject({ calls: 4, outcomes: { down: 4 } });
  });

  it('a redirect is not followed', async () => {
    const { outbound, seen } = await outside((_, response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    const answer = await outbound.request(read);
    expect([answer.status, answer.header('location')]).toEqual([302, '/elsewhere']);
    expect(seen).toHaveLength(1);
  });

  it('text is UTF-8 without the byte order mark; repeated headers are joined', async () => {
    const { outbound } = await outside((_, response) => {
      response.setHeader('x-many', ['a', 'b']);
      response.end(Buffer.from('\ufeff{"name":"Zoë"}'));
    });
    const answer = await outbound.request(read);
    expect(answer.text).toBe('{"name":"Zoë"}');
    expect(answer.header('x-many')).toBe('a,b');
  });
});

it('OP-97 the message for people has the name of the system and the next step, but no internals', async () => {
  const { outbound, stop } = await outside(() => undefined);
  await stop();
  const body = toAppError(await failure(outbound.request(read))).body('1');
  expect(body).toEqual({
    code: 'outside-down',
    message: 'Zoom does not answer.',
    next: 'Try again in a few minutes.',
    requestId: '1',
  });
});
