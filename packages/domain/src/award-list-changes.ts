/** Changes from the current list of professors and courses to a new one. Pure. */
import { type AwardEntry, entryKey, type ListColumn } from './award-entries.ts';

/** A changed field; rows are matched by campus, course id and professor id. */
export interface FieldChange {
  column: ListColumn;
  from: string | number;
  to: string | number;
}

/** The changes. Entries in none of the three lists stay unchanged. */
export interface ListChanges {
  /** In the order of the new list. */
  added: readonly AwardEntry[];
  /** In the order of the new list. */
  changed: readonly { entry: AwardEntry; fields: readonly FieldChange[] }[];
  /** In the order of the old list. */
  gone: readonly AwardEntry[];
  unchanged: number;
}

/** Ids that differ only in case are the same, but a new spelling is shown. */
const FIELDS: readonly (readonly [ListColumn, keyof AwardEntry])[] = [
  ['Course', 'course'],
  ['Course ID', 'courseId'],
  ['Enrolled', 'enrolled'],
  ['Prof ID', 'professorId'],
  ['Professor', 'professor'],
  ['Type', 'type'],
];

/** Compares two lists with ids that are unique within their campus. */
export function listChanges(inForce: readonly AwardEntry[], next: readonly AwardEntry[]): ListChanges {
  const old = new Map(inForce.map((entry) => [entryKey(entry), entry]));
  const added: AwardEntry[] = [];
  const changed: { entry: AwardEntry; fields: FieldChange[] }[] = [];
  const kept = new Set<string>();
  let unchanged = 0;
  for (const entry of next) {
    const key = entryKey(entry);
    const before = old.get(key);
    kept.add(key);
    if (before === undefined) {
      added.push(entry);
      continue;
    }
    const fields = FIELDS.flatMap(([column, field]) =>
      before[field] === entry[field] ? [] : [{ column, from: before[field], to: entry[field] }],
    );
    if (fields.length === 0) unchanged++;
    else changed.push({ entry, fields });
  }
  return { added, changed, gone: inForce.filter((entry) => !kept.has(entryKey(entry))), unchanged };
}
