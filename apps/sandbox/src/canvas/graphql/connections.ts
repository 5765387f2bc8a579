/** Pages of GraphQL, and IDs that contain their type (reference §17.2, end). */

export type PageArgs = {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
};

/** Default and maximum number of items in a page. */
const MOST = 100;

/** Returns the requested page of a list. A cursor is a position in the list, counted from 1. */
export function connectionOf<T, N>(items: readonly T[], args: PageArgs, nodeOf: (item: T) => N) {
  const from = args.after ? placeOf(args.after) : 0;
  const to = args.before ? Math.max(placeOf(args.before) - 1, from) : items.length;
  let [start, end] = [Math.min(from, items.length), Math.min(to, items.length)];
  if (args.first != null) end = Math.min(end, start + sizeOf(args.first));
  if (args.last != null) start = Math.max(start, end - sizeOf(args.last));
  if (args.first == null && args.last == null) end = Math.min(end, start + MOST);
  const edges = () =>
    items.slice(start, end).map((item, at) => ({ cursor: cursorOf(start + at + 1), node: nodeOf(item) }));
  return {
    edges,
    nodes: () => edges().map(({ node }) => node),
    pageInfo: {
      hasNextPage: end < items.length,
      hasPreviousPage: start > 0,
      startCursor: end > start ? cursorOf(start + 1) : null,
      endCursor: end > start ? cursorOf(end) : null,
    },
  };
}

/** Encodes an ID such as `Course-7` in base64. */
export function globalId(type: string, id: number): string {
  return Buffer.from(`${type}-${id}`).toString('base64');
}

/** Reads the number in an ID of either form, or returns undefined for an ID of another type. */
export function numberIn(type: string, given: string): number {
  if (/^\d{1,15}$/.test(given)) return Number(given);
  const { type: named, id } = readGlobalId(given);
  return named === type ? id : Number.NaN;
}

export function readGlobalId(given: string): { type: string; id: number } {
  const [, type = '', id = ''] = /^(\w+)-(\d{1,15})$/.exec(Buffer.from(given, 'base64').toString()) ?? [];
  return { type, id: id === '' ? Number.NaN : Number(id) };
}

function cursorOf(place: number): string {
  return Buffer.from(String(place)).toString('base64url');
}

function placeOf(cursor: string): number {
  const place = Number(Buffer.from(cursor, 'base64url').toString());
  return Number.isInteger(place) && place > 0 ? place : 0;
}

function sizeOf(requested: number): number {
  return Math.min(Math.max(requested, 0), MOST);
}
