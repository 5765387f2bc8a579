/** The sandbox behind a proxy that can replace the report file with another one. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { DirectoryStatus } from '@lms-admin/contract/directory';
import { type Sandbox, type SandboxOptions, startSandbox } from '@lms-admin/sandbox/server';
import { vi } from 'vitest';
import { ZipFile } from 'yazl';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/harness.ts';

export interface Front {
  url: string;
  /** Files to return instead of the next ones. */
  files: Buffer[];
  /** The number of file requests so far. */
  fetched: number;
  close(): Promise<void>;
}

export async function openFront(behind: string): Promise<Front> {
  const { hostname, port } = new URL(behind);
  const server = createServer((asked, answer) => {
    const isFile = /^\/files\/\d+\/download/.test(asked.url ?? '');
    if (isFile) front.fetched += 1;
    const instead = isFile ? front.files.shift() : undefined;
    if (instead) {
      answer.end(instead);
      return;
    }
    const { method, url: path, headers } = asked;
    const onward = request({ hostname, port, method, path, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 500, found.headers);
      found.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const front: Front = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    files: [],
    fetched: 0,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return front;
}

export const zipped = (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), `${name}.csv`);
  zip.end();
  return buffer(zip.outputStream);
};

/** Creates a small report. @param people their ids */
export function reportOf(people: readonly number[]): Record<string, string> {
  const lines = (header: string, rows: readonly string[]) => `${[header, ...rows].join('\n')}\n`;
  return {
    users: lines(
      'canvas_user_id,user_id,login_id,full_name,sortable_name,email,status',
      people.map(
        (id) => `${id},S${id},p${id}@x.example,"Ana ""${id}"" Łuk","Łuk, Ana ${id}",p${id}@x.example,active`,
      ),
    ),
    accounts: lines('canvas_account_id,account_id,canvas_parent_id,name', ['86,P86,1,Programme']),
    terms: lines('canvas_term_id,term_id,name', ['1,,Default']),
    courses: lines('canvas_course_id,course_id,short_name,long_name,canvas_account_id,canvas_term_id', [
      '900,C900,FIN,Finance,86,1',
    ]),
    sections: lines('canvas_section_id,section_id,canvas_course_id,name', ['910,X910,900,Finance A']),
  };
}

export interface DirectoryTest extends TestServer {
  front: Front;
  /** How far the server's clock is ahead, in milliseconds. */
  clock: { ahead: number };
  status(): Promise<DirectoryStatus>;
  /** Starts a refresh. */
  begin(acceptSmaller?: boolean): Promise<string>;
  /** The latest run, once it has ended. */
  ended(): Promise<DirectoryStatus['runs'][number]>;
  refreshed(acceptSmaller?: boolean): Promise<DirectoryStatus['runs'][number]>;
}

export async function startDirectoryTest(
  sandboxOptions: Partial<SandboxOptions> = {},
  options: TestServerOptions = {},
): Promise<DirectoryTest> {
  const sandbox: Sandbox = await startSandbox({
    port: 0,
    mode: 'test',
    importPace: 'instant',
    throttle: false,
    reportMs: 0,
    ...sandboxOptions,
  });
  const front = await openFront(sandbox.url);
  const clock = { ahead: 0 };
  const ts = await startTestServer({
    ...options,
    lms: sandbox,
    env: { DIRECTORY: 'on', LMS_URL: front.url, ...options.env },
    server: { now: () => Date.now() + clock.ahead, ...options.server },
  });
  const { directory, jobs } = ts.server.services;
  const ended = async () => {
    await vi.waitFor(
      async () => {
        if ((await directory.status()).runs[0]?.outcome === 'open') throw new Error('the refresh goes on');
      },
      { timeout: 60_000, interval: 50 },
    );
    const [run] = (await directory.status()).runs;
    if (!run) throw new Error('no run');
    return run;
  };
  const begin = async (acceptSmaller = false) => (await directory.refresh(jobs, { acceptSmaller })).job;
  return {
    ...ts,
    front,
    clock,
    status: () => directory.status(),
    begin,
    ended,
    async refreshed(acceptSmaller) {
      await begin(acceptSmaller);
      return ended();
    },
    async close() {
      await ts.close();
      await front.close();
      await sandbox.close();
    },
  };
}
