/** A proxy in front of a sandbox that passes everything on and distorts selected answers on the way back. */
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Lie } from './arbitraries.ts';

export interface LyingLms {
  url: string;
  /** The distortions to use from now on, one for each answer; an empty list means true answers. */
  lies: Lie[];
  /** Selects requests that change something, by method and path. */
  readonly writes: string[];
  close(): Promise<void>;
}

/** @param lms the sandbox's address */
export async function lyingLms(lms: string): Promise<LyingLms> {
  const to = new URL(lms);
  const writes: string[] = [];
  let next = 0;
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    if (method !== 'GET' && !url.startsWith('/login/')) writes.push(`${method} ${url}`);
    const lies = url.startsWith('/login/') ? [] : proxy.lies;
    const lie = lies.length === 0 ? null : (lies[next++ % lies.length] ?? null);
    const headers = { ...incoming.headers, host: to.host, 'accept-encoding': 'identity' };
    const passed = ask({ host: to.hostname, port: to.port, method, path: url, headers }, (answer) => {
      void answerWith(answer, outgoing, lie);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const proxy: LyingLms = {
    url: `http://localhost:${typeof address === 'object' && address ? address.port : 0}`,
    lies: [],
    writes,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

async function answerWith(answer: IncomingMessage, outgoing: ServerResponse, lie: Lie | null): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of answer as AsyncIterable<Buffer>) pieces.push(piece);
  let body: Buffer = Buffer.concat(pieces);
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...headers } = answer.headers;
  if (lie?.kind === 'body') body = Buffer.from(lie.body);
  if (lie?.kind === 'value') body = changed(body, lie.every, lie.value);
  if (lie?.kind === 'header') headers[lie.name] = lie.value;
  const status = lie?.kind === 'status' ? lie.status : (answer.statusCode ?? 500);
  outgoing.writeHead(status, { ...headers, 'content-length': body.length });
  if (lie?.kind !== 'cut' || lie.at >= body.length) {
    outgoing.end(body);
    return;
  }
  outgoing.write(body.subarray(0, lie.at));
  outgoing.destroy();
}

/** Returns JSON with every n-th value replaced. */
function changed(body: Buffer, every: number, value: unknown): Buffer {
  let count = 0;
  try {
    const text = JSON.stringify(
      JSON.parse(body.toString('utf8'), (_name, own) => (++count % every === 0 ? value : own)),
    );
    return Buffer.from(text ?? '');
  } catch {
    return body;
  }
}
