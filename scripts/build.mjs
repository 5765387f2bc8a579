/** Builds everything: the console for the browser, and the programs of server and sandbox, below `dist/`. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildGuide } from './guide.mjs';
import { packageFolder } from './packages.mjs';
import { isStale, recordBuild, root } from './tools.mjs';

/** Packages that read files from their own folder, or are not written in JavaScript, so they cannot be part of one file. */
const EXTERNAL = ['@electric-sql/pglite', 'pg-native', 'sharp'];

/** Programs of the server. */
const SERVER = ['main.ts', 'lms-admin.ts'];
/** Threads of the server are separate programs, next to the program that starts them. */
const THREADS = ['files/workbook-worker.mjs', 'awards/sheet-worker.mjs'];

/** File in which the build records the packages whose code it contains. */
export const COMPILED_IN = 'dist/packages.json';

/** Types of files worth compressing, and their minimum size in bytes. */
const PACKED = /\.(css|html|js|json|svg)$/;
const WORTH_PACKING = 1_024;

/** Writes a compressed copy next to each file of the console, so that servers do not have to compress it for each request. */
function packConsole() {
  const folder = join(root, 'apps/console/dist');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const file of files) {
    if (!file.isFile() || !PACKED.test(file.name)) continue;
    const path = join(file.parentPath, file.name);
    const content = readFileSync(path);
    if (content.length < WORTH_PACKING) continue;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    writeFileSync(`${path}.br`, brotliCompressSync(content, quality));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}

/**
 * Bundles sources as `<name>.mjs` in a folder. Parts that they load later, or share, are separate files next to them, so that
 * only the files needed for starting are read at the start.
 * @param {readonly string[]} sources paths in the project
 * @param {string} folder
 * @returns paths of the sources used
 */
export async function bundle(sources, folder) {
  const esbuild = await import('esbuild');
  const { metafile } = await esbuild.build({
    entryPoints: sources.map((source) => ({ in: join(root, source), out: parse(source).name })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    sourcemap: true,
    metafile: true,
    legalComments: 'none',
    external: EXTERNAL,
    logLevel: 'warning',
    // Dependencies written as CommonJS call require() for Node's own modules.
    banner: {
      js: "import { createRequire as _require } from 'node:module'; const require = _require(import.meta.url);",
    },
  });
  return Object.keys(metafile.inputs).map((path) => resolve(path));
}

/**
 * Builds the server, with its threads and its migrations next to it.
 * @param {string} folder
 * @param {readonly string[]} programs paths in the project
 */
export async function bundleServer(folder, programs = SERVER.map((name) => `apps/server/src/${name}`)) {
  const made = await bundle([...programs, ...THREADS.map((name) => `apps/server/src/${name}`)], folder);
  cpSync(join(root, 'apps/server/migrations'), join(folder, 'migrations'), { recursive: true });
  return made;
}

export async function build() {
  // In a test that builds, NODE_ENV has another value, with which React would be built in development mode.
  process.env.NODE_ENV = 'production';
  const { build: vite } = await import('vite');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const [console, ...programs] = await Promise.all([
    vite({ root: join(root, 'apps/console'), logLevel: 'warn' }),
    bundleServer(join(root, 'dist/server')),
    bundle(['apps/sandbox/src/main.ts'], join(root, 'dist/sandbox')),
  ]);
  const ofConsole = [console]
    .flat()
    .flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds));
  const ofGuide = await buildGuide();
  const packages = [...ofConsole, ...programs.flat(), ...ofGuide]
    .map(packageFolder)
    .filter((path) => path !== null);
  writeFileSync(join(root, COMPILED_IN), JSON.stringify([...new Set(packages)].sort(), null, 2));
  packConsole();
}

/** After this time without a sign of life, another build is assumed to have been killed. A build can be silent for seconds. */
const BUILD_LOST_MS = 60_000;

/** Waits while another command builds in the same folder: two simultaneous builds would delete each other's files. */
async function lockBuild() {
  const { default: lockfile } = await import('proper-lockfile');
  const folder = join(root, 'node_modules/.cache');
  mkdirSync(folder, { recursive: true });
  const lockfilePath = join(folder, 'lms-admin-build.lock');
  const retries = { forever: true, factor: 1, minTimeout: 250 };
  return lockfile.lock(root, { lockfilePath, stale: BUILD_LOST_MS, retries });
}

/** @param {boolean} onlyIfStale builds nothing if everything is up to date, for example after another build has finished */
async function buildAlone(onlyIfStale) {
  const unlock = await lockBuild();
  const started = new Date();
  if (!onlyIfStale || isStale()) {
    await build();
    recordBuild(started);
  }
  await unlock();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await buildAlone(process.argv.includes('--if-stale'));
