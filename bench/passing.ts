/** How long it takes to pass a call through the server, and to start. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { freePort } from '../scripts/free-port.mjs';
import { Bench, type Figure, median, seconds, timed } from './support.ts';

const root = process.cwd();

/** The minimum for passing on a call: a server that calls the LMS with one token and returns the answer. */
const BARE = `
const { createServer, request, Agent } = require('node:http');
const { parentPort, workerData: lms } = require('node:worker_threads');
const agent = new Agent({ keepAlive: true });
const read = async (stream) => {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
};
const server = createServer(async (asked, answer) => {
  const { url } = await read(asked);
  const headers = { authorization: 'Bearer sandbox-admin-token', 'user-agent': 'lms-admin-bench' };
  request(lms + '/api/v1/' + url, { agent, headers }, async (got) => {
    const data = await read(got);
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ status: 200, data }));
  }).end();
}).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/**
 * Measures lists read through LMS Admin, through a bare server, and directly from the sandbox, in turn, at 0 ms
 * latency.
 */
export async function invoke(): Promise<Figure[]> {
  const bench = await Bench.open({ SANDBOX_LATENCY_MS: '0' });
  const worker = new Worker(BARE, { eval: true, workerData: bench.campus.lms });
  try {
    const [port] = await once(worker, 'message');
    const bare = `http://127.0.0.1:${port}/`;
    return [
      await passing(bench, bare, 'a small list', 'accounts/1/sub_accounts?per_page=100'),
      await passing(bench, bare, 'the roles with all permissions', 'accounts/1/roles?per_page=100'),
    ];
  } finally {
    await worker.terminate();
    await bench.close();
  }
}

async function passing(bench: Bench, bare: string, what: string, url: string): Promise<Figure> {
  const ways = {
    ours: () => bench.fetch('/api/auth/invoke', { type: 'GET', url }).then((answer) => answer.text()),
    bare: () =>
      fetch(bare, { method: 'POST', body: JSON.stringify({ url }) }).then((answer) => answer.text()),
    straight: () => bench.lms(`/api/v1/${url}`),
  };
  const took = { ours: [] as number[], bare: [] as number[], straight: [] as number[] };
  for (let i = 0; i < 600; i += 1) {
    for (const way of ['ours', 'bare', 'straight'] as const) {
      const { ms } = await timed(ways[way]);
      if (i >= 100) took[way].push(ms);
    }
  }
  const direct = median(took.straight);
  const [added, least] = [median(took.ours) - direct, median(took.bare) - direct];
  return {
    work: `passing a call through invoke, 0 ms latency: ${what}`,
    reached: `adds ${added.toFixed(2)} ms at the median to ${direct.toFixed(2)}`,
    target: 'under 1.5 ms',
    met: added < 1.5,
    note: `a bare server without sign-in, permissions, limits or log adds ${least.toFixed(2)} ms`,
  };
}

/** Measures `npm start`, already installed and built, with a data folder that has been used before. */
export async function start(): Promise<Figure[]> {
  const data = mkdtempSync(join(tmpdir(), 'lms-admin-bench-'));
  const env = {
    ...process.env,
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    LMS_ADMIN_DATA: data,
  };
  try {
    const times: number[] = [];
    let memory = 0;
    for (let round = 0; round < 4; round += 1) {
      const started = performance.now();
      const child = spawn('npm', ['start', '--silent'], {
        cwd: root,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      let output = '';
      for await (const chunk of child.stdout) {
        output += chunk;
        if (/LMS Admin ready on/.test(output)) break;
      }
      times.push(performance.now() - started);
      if (round === 3) {
        await new Promise((resolve) => setTimeout(resolve, 8_000));
        memory = residentOf('dist/server/main.mjs', env.PORT);
      }
      const gone = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await gone;
    }
    const [first = 0, ...later] = times;
    return [
      {
        work: 'npm start to the ready line, installed and built',
        reached: `${seconds(median(later))} (${seconds(first)} with an empty data folder)`,
        target: 'under 6 s',
        met: median(later) < 6_000,
      },
      {
        work: 'memory of the idle server',
        reached: `${Math.round(memory / 1e6)} MB resident`,
        target: 'under 400 MB',
        met: memory > 0 && memory < 400e6,
      },
    ];
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Returns the resident memory, in bytes, of the process that runs this program on this port. */
function residentOf(program: string, port: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program)) continue;
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`PORT=${port}`)) continue;
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
    } catch {
      // The process has ended in the meantime.
    }
  }
  return 0;
}
