/** Packages that are part of the product: those that run next to it, and those compiled into it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tools.mjs';

const IN_SOURCES = ['apps', 'packages'];
/** Imports in the form that the formatter writes: at the end of a line, or as a call. */
const IMPORTS =
  /^(?:import|(?:import|export|\}).* from) '([^'.][^']*)'(?: with \{.*\})?;$|\bimport\('([^'.][^']*)'\)/gm;

/**
 * Returns the folder of the package that a file belongs to, as the lock file names it.
 * @returns null for a file of the project itself
 */
export function packageFolder(path) {
  const [, folder = null] = /.*?\b(node_modules\/.*(?<=node_modules\/)(?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return folder;
}

/** Lists the names of the packages that the product's sources import. */
export function importedPackages() {
  const names = new Set();
  for (const place of IN_SOURCES) {
    for (const file of readdirSync(join(root, place), { recursive: true })) {
      if (!/^[\w-]+\/src\/.*\.(?:tsx?|mjs)$/.test(file)) continue;
      for (const [, still, later] of readFileSync(join(root, place, file), 'utf8').matchAll(IMPORTS)) {
        const [first, second] = (still ?? later).split('/');
        names.add(first.startsWith('@') ? `${first}/${second}` : first);
      }
    }
  }
  return [...names].filter((name) => !name.startsWith('node:') && !name.startsWith('@lms-admin/'));
}

/** Finds the package to which a name in a folder refers, according to the lock file: the nearest one. */
function found(lock, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock.packages[path]) return path;
    if (folder === '') return null;
  }
}

/**
 * Finds these packages, and all packages that they need.
 * @param lock a parsed package-lock.json
 * @param names packages of the project itself; names that are not in the lock file, such as modules of Node,
 * are skipped
 * @returns paths as in the lock file
 */
export function withNeeded(lock, names) {
  const paths = new Set();
  const { dependencies, devDependencies } = lock.packages[''];
  const own = { ...dependencies, ...devDependencies };
  const add = (path) => {
    if (path === null || paths.has(path) || lock.packages[path].link) return;
    paths.add(path);
    const { peerDependenciesMeta, ...needs } = lock.packages[path];
    const asked = Object.keys({
      ...needs.dependencies,
      ...needs.optionalDependencies,
      ...needs.peerDependencies,
    });
    // Counts optional dependencies of a package only if the project itself requires them.
    const isNeeded = (name) =>
      !peerDependenciesMeta?.[name]?.optional || (own[name] && !name.startsWith('@types/'));
    for (const name of asked.filter(isNeeded)) add(found(lock, path, name));
  };
  for (const name of names) add(found(lock, '', name));
  return paths;
}
