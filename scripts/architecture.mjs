/**
 * Checks that imports go in one direction and are never circular (including type imports, because they connect
 * folders too), and that only `outbound/` opens connections.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { parseFileSync } from '@swc/core';
import rules, { connections, layers } from '../.architecture.mjs';
import { connectionsIn } from './connections.mjs';
import { root } from './tools.mjs';

/** Lists every specifier that a module imports: values, types and dynamic imports. */
function specifiers(file) {
  const found = [];
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== 'object') return;
    if (/^(ImportDeclaration|Export(Named|All)Declaration)$/.test(node.type) && node.source)
      found.push(node.source.value);
    if (node.type === 'CallExpression' && node.callee.type === 'Import') {
      const [first] = node.arguments;
      if (first?.expression.type === 'StringLiteral') found.push(first.expression.value);
    }
    Object.values(node).forEach(visit);
  };
  visit(parseFileSync(file, { syntax: 'typescript', tsx: file.endsWith('x') }).body);
  return found;
}

/** Returns the path of the imported file relative to the project, or null for a package. */
function target(from, specifier) {
  const own = /^@lms-admin\/([^/]+)\/(.+)$/.exec(specifier);
  if (own) {
    const folder = ['packages', 'apps'].find((place) => existsSync(join(root, place, own[1])));
    return `${folder}/${own[1]}/src/${own[2]}.ts`;
  }
  return specifier.startsWith('.') ? relative(root, resolve(dirname(join(root, from)), specifier)) : null;
}

function sources(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

const problems = [];
const graph = new Map();
let imports = 0;
for (const file of [
  'packages/domain/src',
  'packages/contract/src',
  'apps/server/src',
  'apps/console/src',
  'apps/sandbox/src',
].flatMap(sources)) {
  const rule = rules.find(({ from }) => new RegExp(`^${from}`).test(file));
  const match = rule && new RegExp(`^${rule.from}`).exec(file);
  const edges = [];
  for (const specifier of specifiers(join(root, file))) {
    imports += 1;
    const to = target(file, specifier);
    if (to === null) {
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      const builtIn = specifier.startsWith('node:') || builtinModules.includes(name);
      if (rule?.modules && (builtIn || !rule.modules.includes(name))) {
        problems.push(`${rule.name}: ${file} imports ${specifier}`);
      }
      continue;
    }
    edges.push(to);
    if (rule && !rule.may.some((path) => new RegExp(`^${path.replace('$1', match[1] ?? '')}`).test(to))) {
      problems.push(`${rule.name}: ${file} imports ${to}`);
    }
  }
  graph.set(file, edges);
}

for (const file of graph.keys()) {
  if (!file.startsWith(connections.within) || file.startsWith(connections.except)) continue;
  const source = readFileSync(join(root, file), 'utf8');
  for (const found of connectionsIn(source, connections, connections.may[file])) {
    problems.push(`only outbound/ opens connections: ${file} ${found}`);
  }
}

/** Position of folders that are not named in a layer: before all others. */
const OUTERMOST = -1;

/** Checks that folders in a layer do not import folders further out. Returns the imports of each folder. */
function checkLayers({ within, order }) {
  const named = new Map(order.flatMap((folders, depth) => folders.map((folder) => [folder, depth])));
  const depthOf = (folder) => named.get(folder) ?? OUTERMOST;
  const folderOf = (file) => new RegExp(`^${within}([^/]+)/`).exec(file)?.[1] ?? null;
  const folders = new Map();
  for (const [file, edges] of graph) {
    const from = folderOf(file);
    if (from === null) continue;
    if (!folders.has(from)) folders.set(from, new Set());
    for (const to of edges.filter((edge) => edge.startsWith(within))) {
      const folder = folderOf(to);
      if (folder === from) continue;
      // The files next to the folders combine everything, and nothing imports them.
      if (folder === null || depthOf(from) > depthOf(folder))
        problems.push(`outwards: ${file} imports ${to}`);
      folders.get(from).add(folder);
    }
  }
  return folders;
}

/** Reports circular imports, found by a depth-first search. Each is reported once, from where it was found. */
function checkCircles(edges) {
  const state = new Map();
  function walk(one, path) {
    if (state.get(one) === 'done') return;
    if (state.get(one) === 'open') {
      problems.push(`circle: ${[...path.slice(path.indexOf(one)), one].join(' → ')}`);
      return;
    }
    state.set(one, 'open');
    for (const next of edges.get(one) ?? []) walk(next, [...path, one]);
    state.set(one, 'done');
  }
  for (const one of edges.keys()) walk(one, []);
}
checkCircles(graph);
checkCircles(checkLayers(layers));

problems.forEach((problem) => console.error(problem));
// If the parser read nothing, there would be no problems either.
if (graph.size < 100 || imports < 300)
  problems.push(console.error(`only ${graph.size} modules and ${imports} imports were read`));
if (problems.length > 0) process.exit(1);
console.log(`${graph.size} modules, ${imports} imports, all in the right direction`);
