/** Finds the registered call for a request of the console; any other request is refused (OP-02). */
import { LMS_CALLS, type LmsCall } from '@lms-admin/contract/lms-calls';

export interface MatchedCall {
  call: LmsCall;
  /** Values of the path's parameters; each matches its pattern. */
  params: Readonly<Record<string, string>>;
  /** Decoded names and values, all allowed. */
  query: readonly (readonly [string, string])[];
}

/** Maximum number of values for one repeated name. */
const MOST_REPEATED = 10;

/**
 * Finds the call for this type, path and query; null if the registry has none. If several fit, the first accepted by
 * `prefers` wins, since one path may serve two tools. Paths are compared undecoded: no registered path needs encoding,
 * so `%2e%2e`, `//`, a scheme or a backslash never fit.
 */
export function matchCall(
  type: string,
  url: string,
  prefers: (call: LmsCall) => boolean = () => true,
  calls: readonly LmsCall[] = LMS_CALLS,
): MatchedCall | null {
  const [path, search, ...rest] = url.split('?');
  if (path === undefined || rest.length > 0 || url.includes('#')) return null;
  const query = readQuery(search);
  if (query === null) return null;
  const fitting: MatchedCall[] = [];
  for (const call of calls) {
    if (call.type !== type || !allowsQuery(call, query)) continue;
    const params = readPath(call, path);
    if (params) fitting.push({ call, params, query });
  }
  return fitting.find(({ call }) => prefers(call)) ?? fitting[0] ?? null;
}

function readPath(call: LmsCall, path: string): Record<string, string> | null {
  const pattern = call.path.split('/');
  const given = path.split('/');
  if (pattern.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const value = given[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return null;
      continue;
    }
    const name = part.slice(1);
    if (!call.params[name]?.test(value)) return null;
    params[name] = value;
  }
  return params;
}

/** Parses a query into names and values; null if it is not encoded properly. */
function readQuery(search: string | undefined): (readonly [string, string])[] | null {
  if (search === undefined) return [];
  try {
    return search.split('&').map((pair) => {
      const [name, value, ...rest] = pair.split('=');
      if (!name || value === undefined || rest.length > 0) throw new URIError('not a name and a value');
      return [decode(name), decode(value)] as const;
    });
  } catch {
    return null;
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function allowsQuery(call: LmsCall, query: readonly (readonly [string, string])[]): boolean {
  const counts = new Map<string, number>();
  for (const [name, value] of query) {
    // Own properties only: `constructor` is not a query name.
    const schema = Object.hasOwn(call.query, name) ? call.query[name] : undefined;
    if (!schema?.safeParse(value).success) return false;
    const count = (counts.get(name) ?? 0) + 1;
    if (count > (name.endsWith('[]') ? MOST_REPEATED : 1)) return false;
    counts.set(name, count);
  }
  return call.needs?.every((name) => counts.has(name)) ?? true;
}
