/** A server under systemd: it reports its state, writes a log for people, and waits for a database that starts at the same time. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../../../scripts/free-port.mjs';
import { bundleServer, makePlace, Process } from '../kill/process.ts';
import { chosenDatabase } from '../support/databases.ts';

const WATCHDOG_MS = 300;

let folder: string;
let main: string;
let place: Awaited<ReturnType<typeof makePlace>>;

beforeAll(async () => {
  [folder, main, place] = await Promise.all([
    mkdtemp(join(tmpdir(), 'lms-admin-systemd-')),
    bundleServer(),
    makePlace(),
  ]);
});
afterAll(async () => {
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a server in practice mode, without the practice LMS. */
async function serverWith(env: Record<string, string>): Promise<Process> {
  const port = String(await freePort());
  const server = new Process(main, { ...place.env, PORT: port, ...env });
  onTestFinished(() => server.kill());
  return server;
}

it('systemd is told that the server is ready, is working and is stopping', async () => {
  // Replaces the systemd program that sends reports: it writes them to a file.
  const reports = join(folder, 'reports');
  const program = join(folder, 'systemd-notify');
  await writeFile(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $1" >> ${reports}\n`);
  await chmod(program, 0o755);
  const server = await serverWith({
    PATH: `${folder}:${process.env.PATH ?? ''}`,
    NOTIFY_SOCKET: '/run/systemd/notify',
    WATCHDOG_USEC: String(WATCHDOG_MS * 1_000),
  });
  await server.start();
  const reported = async () => (await readFile(reports, 'utf8')).trim().split('\n');
  const line = (what: string) => `/run/systemd/notify ${what}`;
  // The reports come from separate processes, so their order is not certain.
  const hasReported = (what: string, times: number) =>
    vi.waitFor(
      async () =>
        expect((await reported()).filter((one) => one === line(what)).length).toBeGreaterThanOrEqual(times),
      60_000,
    );
  await hasReported('READY=1', 1);
  await hasReported('WATCHDOG=1', 2);
  expect(await reported()).not.toContain(line('STOPPING=1'));
  await server.stop();
  await hasReported('STOPPING=1', 1);
});

it('a server without the systemd program continues, and says once what is missing', async () => {
  const server = await serverWith({
    PATH: folder,
    NOTIFY_SOCKET: join(folder, 'nothing'),
  });
  await rm(join(folder, 'systemd-notify'), { force: true });
  await server.start();
  await vi.waitFor(() => expect(server.said).toContain('systemd cannot be told "READY=1"'), 60_000);
  await server.stop();
  expect(server.said.match(/systemd cannot be told/g)).toHaveLength(1);
});

it('LOG_FORMAT=plain writes one readable line for each event', async () => {
  const server = await serverWith({ LOG_LEVEL: 'info', LOG_FORMAT: 'plain' });
  await server.start();
  expect(server.said).toMatch(
    /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \S+\] INFO: starting \{.*"mode":"practice".*\}$/m,
  );
  expect(server.said).not.toContain('"level"');
});

it('OP-25 a server waits for PostgreSQL to start, and then ends with a message if it does not', async () => {
  const port = await freePort();
  const address = `postgres://someone@127.0.0.1:${port}/nothing`;
  const server = await serverWith({ DATABASE_URL: address });
  const started = server.start();
  await vi.waitFor(() => expect(server.said).toContain('PostgreSQL does not answer yet'), 60_000);
  // A server starts there that rejects every connection.
  const there = createServer((socket) => void socket.once('data', () => socket.end(rejection())));
  await new Promise<void>((listening) => there.listen(port, '127.0.0.1', listening));
  onTestFinished(() => void there.close());
  await expect(started).rejects.toThrow(/PostgreSQL rejects the connection/);
  expect(server.said.match(/PostgreSQL does not answer yet/g)).toHaveLength(1);
});

it.runIf(chosenDatabase() === 'postgres')('OP-25 a server starts as soon as PostgreSQL answers', async () => {
  const own = new URL(place.env.DATABASE_URL ?? '');
  const away = new URL(own);
  away.hostname = '127.0.0.1';
  away.port = String(await freePort());
  const server = await serverWith({ DATABASE_URL: away.href });
  const started = server.start();
  await vi.waitFor(() => expect(server.said).toContain('PostgreSQL does not answer yet'), 60_000);
  const there = createServer((socket) => {
    const passed = connect(Number(own.port || 5432), own.hostname);
    for (const one of [socket, passed]) one.on('error', () => one.destroy());
    socket.pipe(passed).pipe(socket);
  });
  await new Promise<void>((listening) => there.listen(Number(away.port), '127.0.0.1', listening));
  onTestFinished(() => void there.close());
  await started;
});

/** Creates PostgreSQL's message for a wrong password. */
function rejection(): Buffer {
  const fields = Buffer.from('SFATAL\0C28P01\0Mpassword authentication failed\0\0');
  const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4]);
  return Buffer.concat([head, fields]);
}
