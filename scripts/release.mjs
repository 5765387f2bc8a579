/**
 * `npm run release`: creates an archive that runs on a server with only Node.js, and its checksum. The archive runs only on
 * machines of the kind on which it was built, because the image library is not written in JavaScript.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkLicences, installedManifest } from './licences.mjs';
import { withNeeded } from './packages.mjs';
import { tarOf } from './tar.mjs';
import { ensureBuilt, ensureInstalled, fail, root } from './tools.mjs';

/** The files are in the same places as in the project, so that programs find them in both. */
const PARTS = [
  'bin',
  'dist/server',
  'dist/sandbox',
  'apps/console/dist',
  'scripts/launch.mjs',
  'config/access.example.json',
  'config/access.json',
  '.env.example',
  'README.md',
  'CHANGELOG.md',
  'docs',
];
/** Files that are useful only for debugging, for which the sources are needed in any case. */
const LEFT_OUT = /\.(?:map|d\.[cm]?ts)$/;
const LICENCE = /^(?:licen[cs]e|copying|notice|third-party)/i;

/** Lists every file below a path of the project, which can itself be a file. */
function filesOf(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  const found = readdirSync(join(root, path), { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(path, entry.parentPath.slice(join(root, path).length), entry.name))
    .filter((name) => !LEFT_OUT.test(name));
}

/**
 * Collects the licence texts that must be included, for packages next to the product and compiled into it.
 */
function licenceTexts(paths) {
  return paths
    .map((path) => {
      const { name, version, license } = installedManifest(path);
      const texts = readdirSync(join(root, path)).filter((file) => LICENCE.test(file));
      const read = texts.map((file) => readFileSync(join(root, path, file), 'utf8').trim());
      return [`${name} ${version} (${license})`, ...read].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** Returns the type of machine for which the archive is built, such as `linux-x64` or `linux-x64-musl`. */
function kindOfMachine() {
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return `${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`;
}

async function release(folder) {
  ensureInstalled();
  await ensureBuilt();
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { name, version, type, engines, bin, dependencies } = installedManifest('.');
  const beside = [...withNeeded(lock, Object.keys(dependencies))].filter((path) =>
    existsSync(join(root, path)),
  );
  const compiledIn = JSON.parse(readFileSync(join(root, 'dist/packages.json'), 'utf8'));
  const { problems } = checkLicences(lock, installedManifest, new Set(compiledIn));
  if (problems.length > 0) fail(problems.join('\n'));

  const title = `${name}-${version}-${kindOfMachine()}`;
  const own = PARTS.flatMap(filesOf);
  const packages = beside.flatMap((path) =>
    filesOf(path).filter((file) => !file.slice(path.length).includes('/node_modules/')),
  );
  const manifest = { name, version, private: true, type, engines, bin, dependencies };
  const entries = [...own, ...packages].map((path) => ({
    path: `${title}/${path}`,
    bytes: readFileSync(join(root, path)),
    runs: (statSync(join(root, path)).mode & 0o111) !== 0,
  }));
  const made = {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'LICENCES.txt': `${licenceTexts([...new Set([...beside, ...compiledIn])].sort((a, b) => (a < b ? -1 : 1)))}\n`,
  };
  for (const [path, text] of Object.entries(made))
    entries.push({ path: `${title}/${path}`, bytes: Buffer.from(text) });

  mkdirSync(folder, { recursive: true });
  const archive = gzipSync(tarOf(entries));
  const file = `${title}.tar.gz`;
  writeFileSync(join(folder, file), archive);
  const sum = createHash('sha256').update(archive).digest('hex');
  writeFileSync(join(folder, `${file}.sha256`), `${sum}  ${file}\n`);
  console.log(join(folder, file));
}

await release(resolve(process.argv[2] ?? join(root, 'dist/release')));
