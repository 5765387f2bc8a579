/**
 * Request parameters of all systems, read as in Canvas (reference §1): query and body in one nested object,
 * `include[]=a` as a list, `course_section[name]=x` as an object, and many spellings of true.
 */

import type { FastifyRequest } from 'fastify';

export type ParamValue = string | number | boolean | null | ParamValue[] | Params;
export type Params = { [name: string]: ParamValue };

/** The maximum length of a form, or of one of its fields. */
export const FIELD_BYTES = 1024 * 1024;

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const TRUE = new Set(['1', 'true', 'on', 'yes']);
const MAX_DEPTH = 20;

/** Parses a query string or a form-encoded body into nested parameters. Broken escapes are kept unchanged. */
export function parseParams(text: string): Params {
  const params = emptyParams();
  if (text === '') return params;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decode(cut < 0 ? pair : pair.slice(0, cut));
    assignParam(params, name, cut < 0 ? null : decode(pair.slice(cut + 1)));
  }
  return params;
}

/** Puts one `name=value` pair, with a name such as `a[b][]`, into nested parameters. */
export function assignParam(params: Params, name: string, value: ParamValue): void {
  const match = KEY.exec(name);
  if (!match?.[1]) {
    params[name] = value;
    return;
  }
  const steps = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)]
    .map((step) => step[1] ?? '')
    .slice(0, MAX_DEPTH);
  let holder = params;
  let key = match[1];
  for (const [at, step] of steps.entries()) {
    if (step === '') {
      const list = Array.isArray(holder[key]) ? (holder[key] as ParamValue[]) : [];
      holder[key] = list;
      const rest = steps.slice(at + 1);
      if (rest.length === 0) {
        list.push(value);
        return;
      }
      holder = nextListItem(list, rest[0] ?? '');
      key = '';
      continue;
    }
    if (key !== '') holder = childOf(holder, key);
    key = step;
  }
  holder[key] = value;
}

/** Returns all parameters of a request; the body takes priority over the query. */
export function paramsOf(request: FastifyRequest): Params {
  const query = request.query as Params;
  const body = request.body;
  if (!isParams(body)) return query;
  return { ...query, ...body };
}

/** Reads a parameter as text, or returns null if it is missing or not a plain value. */
export function text(params: Params, name: string): string | null {
  const value = params[name];
  if (value === null || value === undefined || typeof value === 'object') return null;
  return String(value);
}

/**
 * Reads a parameter as a list of texts: `x[]=a&x[]=b`, `x[0]=a` or a single `x=a`. Returns an empty list if
 * it is missing.
 */
export function list(params: Params, name: string): string[] {
  const value = params[name];
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => (isPlain(item) ? [String(item)] : []));
  if (typeof value === 'object') return Object.values(value).flatMap((v) => (isPlain(v) ? [String(v)] : []));
  return [String(value)];
}

/** Reads a nested object parameter such as `course_section`, or returns null if it is missing. */
export function nested(params: Params, name: string): Params | null {
  const value = params[name];
  return isParams(value) ? value : null;
}

/** Reads a boolean parameter (§1): 1, true, on and yes are true; any other value, or none, is false. */
export function flag(params: Params, name: string): boolean {
  return isTrue(params[name]);
}

/** Returns whether a value counts as true (§1). */
export function isTrue(value: ParamValue | undefined): boolean {
  return isPlain(value) && TRUE.has(String(value).toLowerCase());
}

/** Creates an empty parameter object without a prototype, so that hostile names stay harmless. */
export function emptyParams(): Params {
  return Object.create(null) as Params;
}

/** Returns whether a value from a body is a parameter object. */
export function isParams(value: unknown): value is Params {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !Buffer.isBuffer(value) &&
    typeof (value as { pipe?: unknown }).pipe !== 'function'
  );
}

function isPlain(value: ParamValue | undefined): value is string | number | boolean {
  return value !== null && value !== undefined && typeof value !== 'object';
}

function childOf(holder: Params, key: string): Params {
  const present = holder[key];
  if (isParams(present)) return present;
  const child = emptyParams();
  holder[key] = child;
  return child;
}

/** Collects `a[][b]=1&a[][c]=2` like Rack: in one object until a name repeats, then in the next object. */
function nextListItem(items: ParamValue[], firstKey: string): Params {
  const last = items.at(-1);
  if (isParams(last) && !(firstKey in last)) return last;
  const item = emptyParams();
  items.push(item);
  return item;
}

function decode(part: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
