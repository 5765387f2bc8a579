/**
 * The output of `npm run release`, unpacked outside the project: it works with Node.js alone, in practice
 * mode on the embedded database, and in production on the PostgreSQL version that is tested.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../scripts/free-port.mjs';
import { picture, uploaded } from '../images/support.ts';
import { makePlace } from '../kill/process.ts';
import { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
/** The release may have to be built first, and the servers create their databases. */
const PATIENT = 400_000;

let folder: string;
let product: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lms-admin-release-'));
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/release.mjs'), folder], {
    timeout: PATIENT,
  });
  const [file = '', sum = ''] = (await readdir(folder)).sort();
  const archive = await readFile(join(folder, file));
  const digest = createHash('sha256').update(archive).digest('hex');
  expect(await readFile(join(folder, sum), 'utf8')).toBe(`${digest}  ${file}\n`);
  await unpack(gunzipSync(archive), folder);
  product = join(folder, file.replace('.tar.gz', ''));
  // Without npm, and without anything that the project has installed.
  const commands = join(folder, 'commands');
  await mkdir(commands);
  await symlink(process.execPath, join(commands, 'node'));
  // Commands that a shell script uses to find its own folder.
  for (const name of ['readlink', 'dirname']) {
    const places = (process.env.PATH ?? '').split(':').map((place) => join(place, name));
    await symlink(places.find((place) => existsSync(place)) ?? name, join(commands, name));
  }
  env = { PATH: commands };
}, PATIENT);
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Unpacks as `tar -x` does. */
async function unpack(archive: Buffer, to: string): Promise<void> {
  const text = (at: number, length: number) =>
    archive.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  for (let at = 0; archive[at] !== 0; ) {
    const [size, mode] = [text(at + 124, 12), text(at + 100, 8)].map((digits) => Number.parseInt(digits, 8));
    const path = join(to, text(at + 345, 155), text(at, 100));
    await mkdir(dirname(path), { recursive: true });
    at += 512;
    await writeFile(path, archive.subarray(at, at + (size ?? 0)), { mode: mode ?? 0 });
    at += Math.ceil((size ?? 0) / 512) * 512;
  }
}

/** Starts the program, and waits until it reports that it is ready. */
async function started(settings: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(join(product, 'bin/lms-admin-server'), {
    cwd: folder,
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => void (await ended(child, 'SIGKILL')));
  let said = '';
  await new Promise<void>((ready, failed) => {
    const hear = (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes('LMS Admin ready on')) ready();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => failed(new Error(`ended with ${code}: ${said}`)));
  });
  return child;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await gone)[0];
}

const command = (settings: Record<string, string>, ...args: string[]) =>
  promisify(execFile)(join(product, 'bin/lms-admin'), args, { cwd: folder, env: { ...env, ...settings } });

test('the console is the production build, even if a test built it', async () => {
  const assets = join(product, 'apps/console/dist/assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')));
  expect(scripts.filter((_, at) => texts[at]?.includes('jsxDEV'))).toEqual([]);
  expect(scripts.length).toBeGreaterThan(20);
});

test('in practice mode, server and sandbox start, people work, commands take effect, and a signal ends both', {
  timeout: PATIENT,
}, async () => {
  const port = await freePort();
  const settings = {
    LMS_ADMIN_DATA: join(folder, 'var'),
    PORT: String(port),
    SANDBOX_PORT: String(await freePort()),
  };
  const server = await started(settings);
  const alma = new Browser(`http://localhost:${port}`);
  await alma.signIn(PEOPLE.all);
  const { fileName: link } = await uploaded(alma, 'one.png', await picture('png', 3));
  expect((await fetch(link)).status).toBe(200);
  expect(await (await fetch(alma.home)).text()).toContain('<div id="root">');

  expect((await command(settings, 'doctor')).stdout).toContain('No problems found.');
  // The path is relative to the caller's folder, not to the product.
  expect((await command(settings, 'backup', 'kept.zip')).stdout).toContain('read back and is complete');
  expect(await readdir(folder)).toContain('kept.zip');
  expect(await ended(server, 'SIGTERM')).toBe(0);
});

test('in production, only the server starts, and it stops normally on a signal', {
  timeout: PATIENT,
}, async () => {
  const place = await makePlace({ made: false });
  onTestFinished(() => place.remove());
  const sandbox = await startSandbox({ port: 0, mode: 'test', throttle: false });
  onTestFinished(() => sandbox.close());
  const port = await freePort();
  const settings = {
    ...place.env,
    // The folder does not exist yet.
    LMS_ADMIN_DATA: join(place.folder, 'data'),
    PORT: String(port),
    LMS_URL: sandbox.url.replace('127.0.0.1', 'localhost'),
    LMS_CLIENT_ID: '10',
    LMS_CLIENT_SECRET: 'sandbox-client-secret',
    LMS_ADMIN_ACCESS: 'config/access.json',
    LMS_ADMIN_KEY: '00'.repeat(32),
  };
  const server = await started(settings);
  // Rotating logs does not end the server.
  server.kill('SIGHUP');
  await new Browser(`http://localhost:${port}`).signIn(PEOPLE.all);
  expect((await command(settings, 'jobs')).stdout).toBe('All work has ended.\n');
  expect(await ended(server, 'SIGTERM')).toBe(0);
});

test('the release contains the texts of the licences, and no sources', async () => {
  const files = await readdir(product, { recursive: true });
  expect(files.filter((name) => /\.map$|(?:^|\/)\.git|(?:^|\/)src\/.*\.tsx?$/.test(name))).toEqual([]);
  // The program that the unit starts exists.
  const unit = await readFile(join(product, 'docs/operating/lms-admin.service'), 'utf8');
  expect(files).toContain(/^ExecStart=\/opt\/lms-admin\/(.*)$/m.exec(unit)?.[1]);
  expect(await readFile(join(product, 'LICENCES.txt'), 'utf8')).toMatch(/^fastify [^]*^react-dom /m);
});
