import { createHash } from 'node:crypto';

const known = new Map<string, string>();
const MOST_KEPT = 50_000;

/** The `uuid` that Canvas shows of a thing; made from its kind and id so that it is the same after a restart. */
export function uuidOf(kind: string, id: number): string {
  const name = `${kind}:${id}`;
  const kept = known.get(name);
  if (kept !== undefined) return kept;
  const uuid = createHash('sha256').update(name).digest('base64url').replace(/[-_]/g, 'k').slice(0, 40);
  if (known.size >= MOST_KEPT) known.clear();
  known.set(name, uuid);
  return uuid;
}
