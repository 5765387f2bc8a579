/** Ways in which a module can open connections: packages, modules of Node, and global names. */
import { builtinModules } from 'node:module';
import { parseSync } from '@swc/core';

/** Names that give access to everything. If a source uses one of them, its other names prove nothing. */
const LOADERS = ['globalThis', 'global', 'require', 'createRequire', 'getBuiltinModule', 'eval'];
/** Fields of the syntax tree that hold a name without a reference: `{ fetch: … }`, `client.fetch`. */
const BARE_NAMES = new Set(['property', 'key', 'imported', 'exported', 'orig', 'label']);

/** Returns the package name in a specifier. */
const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/**
 * Finds every module that a source loads, in any way; yields null for a module that is known only at run
 * time.
 */
function* loaded(node) {
  if (Array.isArray(node)) {
    for (const one of node) yield* loaded(one);
  } else if (typeof node === 'object' && node !== null) {
    if (/^(Import|Export(Named|All))Declaration$/.test(node.type) && node.source) yield node.source.value;
    if (node.type === 'CallExpression' && node.callee.type === 'Import') {
      const [first] = node.arguments;
      yield first?.expression.type === 'StringLiteral' ? first.expression.value : null;
    }
    for (const value of Object.values(node)) yield* loaded(value);
  }
}

/** Finds every name that a source refers to. */
function* named(node) {
  if (Array.isArray(node)) {
    for (const one of node) yield* named(one);
  } else if (typeof node === 'object' && node !== null) {
    if (node.type === 'Identifier') yield node.value;
    // `process.getBuiltinModule` and the like are properties, but give access to everything.
    if (node.type === 'MemberExpression' && LOADERS.includes(node.property.value)) yield node.property.value;
    for (const [field, value] of Object.entries(node)) {
      if (!(BARE_NAMES.has(field) && value?.type === 'Identifier')) yield* named(value);
    }
  }
}

/**
 * Finds everything in the source that could open a connection.
 * @param rule `builtIns`: modules of Node that open connections; `globals`: such names; `quiet`: packages that do not
 * @param allowed names that this file is allowed to use
 * @returns names without repetition; empty if nothing is found
 */
export function connectionsIn(source, { builtIns, globals, quiet }, allowed = []) {
  const tree = parseSync(source, { syntax: 'typescript' }).body;
  const found = new Set();
  for (const specifier of loaded(tree)) {
    if (specifier === null) {
      found.add('imports something known only at run time');
      continue;
    }
    if (specifier.startsWith('.') || specifier.startsWith('@lms-admin/')) continue;
    const name = packageOf(specifier.replace(/^node:/, ''));
    const own = specifier.startsWith('node:') || builtinModules.includes(name);
    if (!allowed.includes(name) && (own ? builtIns.includes(name) : !quiet.some((one) => one.test(name))))
      found.add(`imports ${specifier}`);
  }
  for (const name of named(tree)) {
    if ([...globals, ...LOADERS].includes(name) && !allowed.includes(name)) found.add(`uses ${name}`);
  }
  return [...found];
}
