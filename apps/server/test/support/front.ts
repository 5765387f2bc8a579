/**
 * A proxy in front of the sandbox that passes everything on. It can answer itself, or change answers on the
 * way back.
 */
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string;
  path: string;
  /** The `authorization` header; empty if missing. */
  authorization: string;
  /** The `x-request-id` header; empty if missing. */
  requestId: string;
}

export interface Given {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Front {
  /** The origin, with the host name that the console uses. */
  url: string;
  /** Answers instead of the LMS, which then never gets the request. Null passes it on. */
  instead: ((asked: Asked) => Partial<Given> | null) | null;
  /** Changes an answer of the LMS after its work is done. Null leaves it unchanged. */
  changed: ((asked: Asked, given: Given) => Partial<Given> | null) | null;
  close(): void;
}

/** Canvas's answer to an unknown token. */
export const TOKEN_REFUSED: Partial<Given> = {
  status: 401,
  headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer realm="canvas-lms"' },
  body: JSON.stringify({ errors: [{ message: 'Invalid access token.' }] }),
};

/** @param target the sandbox's origin */
export async function startFront(target: string): Promise<Front> {
  const { hostname, port } = new URL(target);
  const server = createServer((asked, reply) => {
    const { method = 'GET', url: path = '/' } = asked;
    const { authorization = '', 'x-request-id': requestId = '' } = asked.headers;
    const what = { method, path, authorization, requestId: String(requestId) };
    const give = ({ status = 200, headers = {}, body = '' }: Partial<Given>) => {
      const { 'content-length': _length, 'transfer-encoding': _encoding, ...rest } = headers;
      reply.writeHead(status, rest);
      reply.end(body);
    };
    const early = front.instead?.(what) ?? null;
    if (early) {
      asked.resume();
      asked.on('end', () => give(early));
      return;
    }
    const passed = request(
      { host: hostname, port, path: what.path, method: what.method, headers: asked.headers },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const whole = Buffer.concat(parts);
          const given = {
            status: answer.statusCode ?? 500,
            headers: answer.headers,
            body: whole.toString(),
          };
          const changed = front.changed?.(what, given) ?? null;
          if (changed) give({ ...given, ...changed });
          else {
            reply.writeHead(given.status, given.headers);
            reply.end(whole);
          }
        });
      },
    );
    passed.on('error', () => reply.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const front: Front = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    instead: null,
    changed: null,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return front;
}
