/** Ways for a module to open connections: packages, modules of Node, and names of the platform. */
import { builtinModules } from 'node:module';
import { parseSync } from '@swc/core';

/** Names that give access to everything, so that no other name can be trusted while they are in use. */
const LOADERS = ['globalThis', 'global', 'require', 'createRequire', 'getBuiltinModule', 'eval'];
/** Fields of the syntax tree that hold a name without a reference: `{ fetch: … }`, `client.fetch`. */
const BARE_NAMES = new Set(['property', 'key', 'imported', 'exported', 'orig', 'label']);

/** The name of the package of a specifier. */
const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Every module that a source loads, in any way; null for one that is known only at run time. */
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

/** Every name that a source refers to. */
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
 * Finds what in the source could open a connection.
 * @param rule `builtIns` modules of Node and `globals` names that open connections, `quiet` packages that open none
 * @param allowed names that this file can use anyway
 * @returns texts, each once; empty if nothing is found
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
