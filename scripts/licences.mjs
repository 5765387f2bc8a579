/**
 * `npm run licences`: the packages that run in production, next to the product or compiled into it, with their licences. Fails on
 * a licence that is not allowed, on a missing one, and on a package that would run its own script during installation.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importedPackages, withNeeded } from './packages.mjs';
import { root } from './tools.mjs';

/** Licences whose only requirement is that their text is included. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'OFL-1.1',
]);
/**
 * Licence that is allowed only for these packages: the native part of the image library, a separate file that is loaded at run
 * time and can be replaced, as the LGPL requires.
 */
const BY_NAME = [{ name: /^@img\/sharp-(?:libvips-|wasm32$|win32-)/, licence: 'LGPL-3.0-or-later' }];
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

/** Finds the packages of a lock file that are installed without development tools, and those compiled in. */
function runtimeOf(lock, compiledIn) {
  return Object.entries(lock.packages)
    .filter(([path, one]) => path.startsWith('node_modules/') && !one.link)
    .filter(([path, one]) => !one.dev || compiledIn.has(path))
    .map(([path, one]) => ({ path, name: path.split('node_modules/').at(-1), ...one }));
}

/**
 * @param lock a parsed package-lock.json
 * @param manifestOf the package.json at a path in the lock file, null if the package is not installed (for another system)
 * @param compiledIn paths of the packages whose code is part of the product
 * @returns lines for each package, and the problems
 */
export function checkLicences(lock, manifestOf, compiledIn = new Set()) {
  const lines = [];
  const problems = [];
  for (const { path, name, version, license, hasInstallScript } of runtimeOf(lock, compiledIn)) {
    const manifest = manifestOf(path);
    const said = manifest?.license ?? license ?? null;
    const licence = typeof said === 'object' ? (said?.type ?? null) : said;
    lines.push(`${name} ${version}: ${licence ?? 'none'}`);
    // Of several alternative licences, one has to be allowed. If parts have different licences, all have to be allowed.
    const choices = String(licence).replace(/[()]/g, '').split(' OR ');
    const allowed = (part) =>
      ALLOWED.has(part) || BY_NAME.some((one) => one.licence === part && one.name.test(name));
    if (!choices.some((one) => one.split(' AND ').every(allowed)))
      problems.push(`${name} ${version} has the licence ${licence ?? 'of nobody'}`);
    const runs = hasInstallScript || INSTALL_SCRIPTS.some((script) => manifest?.scripts?.[script]);
    if (runs) problems.push(`${name} ${version} runs a script when it is installed`);
  }
  if (lines.length === 0) problems.push('no package was found');
  return { lines: lines.sort(), problems };
}

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Reads the package.json at a path of the lock file, or returns null if it is not installed. */
export function installedManifest(path) {
  return existsSync(join(root, path, 'package.json')) ? read(join(path, 'package.json')) : null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = read('package-lock.json');
  const { lines, problems } = checkLicences(lock, installedManifest, withNeeded(lock, importedPackages()));
  if (!process.argv.includes('--quiet')) console.log(lines.join('\n'));
  problems.forEach((problem) => console.error(problem));
  if (problems.length > 0) process.exit(1);
  console.log(
    `${lines.length} packages at run time, all with an allowed licence, none with a script of its own`,
  );
}
