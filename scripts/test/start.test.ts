/** A production start does not change an operator's installation, and says what is missing (OP-25). */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const scripts = join(import.meta.dirname, '..');
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lms-admin-start-'));
  await mkdir(join(root, 'scripts'));
  for (const name of ['start.mjs', 'launch.mjs', 'tools.mjs'])
    await cp(join(scripts, name), join(root, 'scripts', name));
  await writeFile(join(root, 'package-lock.json'), '{}');
  await mkdir(join(root, 'node_modules', 'installed-by-the-operator'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Starts the product in production, and waits for it to end. */
async function started(): Promise<{ code: number | null; out: string; errors: string }> {
  const env = { ...process.env, LMS_URL: 'https://lms.school.example', LMS_ADMIN_DATA: join(root, 'var') };
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs')], { env });
  const seen = { out: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (seen.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (seen.errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => void child.on('exit', resolve));
  return { code, ...seen };
}

async function build(program: string): Promise<void> {
  await mkdir(join(root, 'dist/server'), { recursive: true });
  await writeFile(join(root, 'dist/server/main.mjs'), program);
}

it('runs the existing build, does not install or build anything, and logs to standard output', async () => {
  await build(
    `console.log('{"msg":"starting"}'); console.log('LMS Admin ready on https://x'); process.exit(0);`,
  );
  expect(await started()).toEqual({
    code: 0,
    out: '{"msg":"starting"}\nLMS Admin ready on https://x\n',
    errors: '',
  });
  expect(await readdir(join(root, 'node_modules'))).toEqual(['installed-by-the-operator']);
  expect(await readdir(join(root, 'var'))).toEqual([]);
});

it('says what to do if it is not built and cannot be', async () => {
  const { code, errors } = await started();
  expect([code, errors]).toEqual([1, expect.stringContaining('Run "npm ci" and "npm run build"')]);
  expect(await readdir(join(root, 'node_modules'))).toEqual(['installed-by-the-operator']);
});

it('does not run a build that is older than the sources', async () => {
  await build('process.exit(0)');
  const stamp = join(root, 'dist/.built');
  await writeFile(stamp, '');
  await utimes(stamp, 1, 1);
  const { code, errors } = await started();
  expect([code, errors]).toEqual([1, expect.stringContaining('was changed after it was built')]);
});
