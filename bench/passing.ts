/** What a call costs on its way through us, and what starting costs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../e2e/support/processes.ts';
import { Bench, type Figure, median, seconds, timed } from './support.ts';

const root = process.cwd();

/** The same small list asked through invoke and straight from the sandbox, in turn, at 0 ms latency. */
export async function invoke(): Promise<Figure> {
  const bench = await Bench.open({ SANDBOX_LATENCY_MS: '0' });
  try {
    const through: number[] = [];
    const straight: number[] = [];
    const url = 'accounts/1/roles?per_page=100';
    for (let i = 0; i < 600; i += 1) {
      const a = await timed(() =>
        bench.fetch('/api/auth/invoke', { type: 'GET', url }).then((answer) => answer.text()),
      );
      const b = await timed(() => bench.lms(`/api/v1/${url}`));
      if (i >= 100) {
        through.push(a.ms);
        straight.push(b.ms);
      }
    }
    const added = median(through) - median(straight);
    return {
      work: 'passing a call through invoke, 0 ms latency',
      reached: `adds ${added.toFixed(2)} ms at the median (${median(through).toFixed(2)} against ${median(straight).toFixed(2)})`,
      target: 'under 2 ms',
      met: added < 2,
    };
  } finally {
    await bench.close();
  }
}

/** `npm start`, installed and built, with a data folder that has been used before. */
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

/** Resident bytes of the process that runs this program with this port. */
function residentOf(program: string, port: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program)) continue;
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`PORT=${port}`)) continue;
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
    } catch {
      // The process has gone meanwhile.
    }
  }
  return 0;
}
