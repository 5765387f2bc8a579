/**
 * A schema applied to large values, with pauses for other work: a schema would otherwise check the whole value in one
 * go, and create an object for each mistake.
 */
import { z } from 'zod';
import { Turns } from './turns.ts';

/** Values checked in one step. */
const AT_ONCE = 1_000;
/** Mistakes after which reading stops: people see only the first ones. */
const MOST_ISSUES = 10_000;

export type ReadInTurns<T> = { data: T; issues: null } | { data: null; issues: z.core.$ZodIssue[] };

/** Returns the parsed value, or the places that do not fit. */
export async function readInTurns<S extends z.ZodType>(
  schema: S,
  value: unknown,
): Promise<ReadInTurns<z.output<S>>> {
  const issues: z.core.$ZodIssue[] = [];
  const data = await read(schema, value, { turns: new Turns(), issues }, []);
  return issues.length > 0 ? { data: null, issues } : { data: data as z.output<S>, issues: null };
}

interface Reading {
  readonly turns: Turns;
  readonly issues: z.core.$ZodIssue[];
}

type Path = readonly PropertyKey[];

/** Reads large values part by part if the schema describes the parts, and all others as a whole. */
async function read(schema: z.ZodType, value: unknown, reading: Reading, path: Path): Promise<unknown> {
  if (weight(value) >= AT_ONCE) {
    if (schema instanceof z.ZodDefault) return read(schema.unwrap() as z.ZodType, value, reading, path);
    if (schema instanceof z.ZodArray && Array.isArray(value)) return readList(schema, value, reading, path);
    if (schema instanceof z.ZodObject && !schema.def.checks?.length && isRecord(value))
      return readObject(schema, value, reading, path);
  }
  await reading.turns.pass();
  return whole(schema, value, reading, path);
}

async function readList(
  schema: z.ZodArray,
  value: unknown[],
  reading: Reading,
  path: Path,
): Promise<unknown> {
  // The length can be checked without looking at the contents.
  const before = reading.issues.length;
  const checks = (schema.def.checks ?? []) as z.core.$ZodCheck<unknown[]>[];
  whole(z.array(z.unknown()).check(...checks), value, reading, path);
  if (reading.issues.length > before) return value;
  const element = schema.element as z.ZodType;
  const several = z.array(element);
  const list: unknown[] = [];
  for (let from = 0; from < value.length && reading.issues.length < MOST_ISSUES; ) {
    let to = from;
    for (let sum = 0; to < value.length && sum < AT_ONCE; to++) sum += weight(value[to]);
    await reading.turns.pass();
    if (to === from + 1) list.push(await read(element, value[from], reading, [...path, from]));
    else {
      const some = whole(several, value.slice(from, to), reading, path, from);
      if (Array.isArray(some)) for (const one of some) list.push(one);
    }
    from = to;
  }
  return list;
}

async function readObject(
  schema: z.ZodObject,
  value: Record<string, unknown>,
  reading: Reading,
  path: Path,
): Promise<unknown> {
  const shape = schema.shape as Record<string, z.ZodType>;
  const large = Object.keys(value).filter(
    (name) => Object.hasOwn(shape, name) && weight(value[name]) >= AT_ONCE,
  );
  const parts: Record<string, unknown> = {};
  for (const name of large)
    parts[name] = await read(shape[name] as z.ZodType, value[name], reading, [...path, name]);
  const rest = schema.extend(Object.fromEntries(large.map((name) => [name, z.unknown()])));
  return whole(rest, { ...value, ...parts }, reading, path);
}

/** @param first index in the list where the value began */
function whole(schema: z.ZodType, value: unknown, reading: Reading, path: Path, first = 0): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const [at, ...below] = issue.path;
    const own = typeof at === 'number' ? [at + first, ...below] : issue.path;
    reading.issues.push({ ...issue, path: [...path, ...own] });
  }
  return value;
}

/** Counts the values inside, up to the limit. */
function weight(value: unknown, most = AT_ONCE): number {
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 1;
  for (const one of Array.isArray(value) ? value : Object.values(value)) {
    sum += weight(one, most - sum);
    if (sum >= most) break;
  }
  return sum;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
