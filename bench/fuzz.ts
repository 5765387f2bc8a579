/**
 * `npm run fuzz [minutes]`: sends hostile bodies one by one, then rounds of requests while the LMS gives wrong answers, to the
 * built product in a separate process. Reports the number of requests, the failures, the response times of `/healthz`, and the
 * server's memory.
 */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { jobStartPath } from '@lms-admin/contract/endpoints';
import { lyingLms } from '../apps/server/test/fuzz/lying-lms.ts';
import { fuzzAnswers, fuzzRequests, nothingFuzzed } from '../apps/server/test/fuzz/rounds.ts';
import { Browser } from '../apps/server/test/support/browser.ts';
import { launch, stop } from '../e2e/support/processes.ts';
import { freePort } from '../scripts/free-port.mjs';

const MB = 1_048_576;
const ROUND_MS = 20_000;
const ALMA = 'alma.reyes@northbridge.example';
const GREATEST = 12_000_000;

/** Bodies that take long to read. */
const HOSTILE: Record<string, () => string> = {
  'deep lists': () => '['.repeat(GREATEST),
  'deep objects': () => '{"a":'.repeat(GREATEST / 5),
  'empty lists': () => `[${'[],'.repeat(370_000)}[]]`,
  'empty objects': () => `[${'{},'.repeat(370_000)}{}]`,
  'many names': () => `[${'{"a":1,"b":[2]},'.repeat(49_000)}1]`,
  'many numbers': () => `[${'1,'.repeat(740_000)}1]`,
  'one text': () => JSON.stringify({ key: 'x'.repeat(GREATEST) }),
  'one text with escapes': () => `{"key":"${'\\u00e9'.repeat(GREATEST / 6)}"}`,
  'one text of two bytes': () => JSON.stringify({ key: 'é'.repeat(GREATEST / 2) }),
  'wrong people': () => JSON.stringify(plan(Array(100_000).fill(1))),
  'too many people': () => JSON.stringify(plan(Array(740_000).fill(1))),
  'right people': () =>
    JSON.stringify(plan(Array.from({ length: 100_000 }, (_, index) => `p${index}@x.example`))),
};
const plan = (emails: unknown[]) => ({
  key: 'hostile body',
  input: { role_id: 99, status: 'active', courses: [1], emails },
});

/** Polls `/healthz` ten times a second from a separate thread. */
const PROBE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const http = require('node:http');
  const agent = new http.Agent({ keepAlive: true });
  const ask = () => {
    const from = performance.now();
    http.get(workerData + '/healthz', { agent }, (response) => {
      response.resume().on('end', () => { parentPort.postMessage(performance.now() - from); setTimeout(ask, 100); });
    }).on('error', () => setTimeout(ask, 100));
  };
  ask();
`;

function probe(url: string) {
  let times: number[] = [];
  const worker = new Worker(PROBE, { eval: true, workerData: url });
  worker.on('message', (ms: number) => void times.push(ms));
  return {
    /**
     * Returns response times since the last reading: median, 99th percentile and maximum, in milliseconds.
     */
    take() {
      const sorted = times.sort((a, b) => a - b);
      times = [];
      const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
      return `${at(0.5)} / ${at(0.99)} / ${at(1)} ms (${sorted.length})`;
    },
    end: () => worker.terminate(),
  };
}

/** An idle server in a separate thread. If it has the same delays as the tested server, they are caused by the machine. */
const IDLE = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:http').createServer((_, response) => response.end('ok'));
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

async function idleServer() {
  const worker = new Worker(IDLE, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return { url: `http://127.0.0.1:${port}`, end: () => worker.terminate() };
}

function resident(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
}

const minutes = Number(process.argv[2] ?? 60);
const data = mkdtempSync(join(tmpdir(), 'lms-admin-fuzz-'));
const [port, sandboxPort] = [await freePort(), await freePort()];
const sandbox = await launch(
  'sandbox',
  { SANDBOX_PORT: String(sandboxPort), SANDBOX_MODE: 'test', SANDBOX_THROTTLE: 'off' },
  /ready on \S+/i,
);
const liar = await lyingLms(`http://127.0.0.1:${sandboxPort}`);
const server = await launch(
  'server',
  {
    PORT: String(port),
    LMS_URL: liar.url,
    LMS_CLIENT_ID: '10',
    LMS_CLIENT_SECRET: 'sandbox-client-secret',
    LMS_SERVICE_TOKEN: 'sandbox-admin-token',
    LMS_ADMIN_ACCESS: 'config/access.json',
    LMS_ADMIN_KEY: randomBytes(32).toString('hex'),
    LMS_ADMIN_DATA: data,
    LMS_TIMEOUT_MS: '2000',
    LOG_LEVEL: 'fatal',
  },
  /LMS Admin ready on \S+/,
);
const pid = server.pid ?? 0;
const browser = new Browser(`http://localhost:${port}`);
await browser.signIn(ALMA);
const nothing = await idleServer();
const [ours, beside] = [probe(browser.home), probe(nothing.url)];
const health = {
  take: () => `/healthz ${ours.take()}, a server that does nothing ${beside.take()}`,
  end: () => Promise.all([ours.end(), beside.end(), nothing.end()]),
};
await new Promise((resolve) => setTimeout(resolve, 5_000));
const idle = resident(pid);
console.log(`idle: ${Math.round(idle)} MB; ${health.take()}`);

/**
 * Signs in again. Several tries are needed if fuzzing has used up the sign-ins that are allowed in a minute.
 */
async function renewSignIn(): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await browser.signIn(ALMA);
      return;
    } catch (error) {
      if (tries === 4 || !String(error).includes('429')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30_000));
    }
  }
}

let most = idle;
const watch = setInterval(() => {
  most = Math.max(most, resident(pid));
}, 20);
const fuzzed = nothingFuzzed();
/** Sends bodies at the same time and measures the effect. The server's memory is read until all of them are answered. */
async function sent(name: string, bodies: readonly string[]): Promise<void> {
  health.take();
  most = resident(pid);
  const post = async (body: string) => {
    const response = await browser.fetch(jobStartPath('course-plan'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await response.text();
    return response.status;
  };
  const statuses = await Promise.all(bodies.map(post));
  for (const status of statuses) if (status >= 500) fuzzed.wrong.push(`${name}: ${status}`);
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
  console.log(
    `${name}, ${(bytes / MB).toFixed(1)} MB: ${[...new Set(statuses)].join(', ')}; ${health.take()}; ${Math.round(most - idle)} MB above idle`,
  );
}

for (const [name, make] of Object.entries(HOSTILE)) await sent(name, [make()]);
const all = Object.values(HOSTILE).map((make) => make());
await sent('all of them twice, at the same time', [...all, ...all]);

const until = performance.now() + minutes * 60_000;
for (let round = 1; performance.now() < until && fuzzed.wrong.length === 0; round++) {
  // A session lasts an hour.
  if (round % 50 === 0) await renewSignIn();
  const ms = Math.min(ROUND_MS, until - performance.now());
  await fuzzRequests(browser, ms / 2, fuzzed);
  await fuzzAnswers(browser, liar, ms / 2, fuzzed);
  console.log(
    `round ${round}: ${fuzzed.requests} requests; ${health.take()}; ${Math.round(resident(pid))} MB`,
  );
}
clearInterval(watch);
await health.end();
console.log(`by status: ${JSON.stringify(fuzzed.statuses)}; sent to the LMS: ${liar.writes.length}`);
fuzzed.wrong.push(...liar.writes.map((one) => `sent: ${one}`));
if (server.exitCode !== null) fuzzed.wrong.push('the server has ended');
fuzzed.wrong.forEach((one) => console.error(one));
await Promise.all([stop(server), stop(sandbox), liar.close()]);
rmSync(data, { recursive: true, force: true });
process.exit(fuzzed.wrong.length > 0 ? 1 : 0);
