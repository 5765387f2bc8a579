import type { Row } from './model.ts';

/** A key of an index; null and undefined are not indexed. */
type Key = string | number | null | undefined;
type KeyOf<T> = (row: T) => Key;

/**
 * Rows by a unique key. A second row with the key replaces the first; callers check for this first, because
 * they know which message to give.
 */
export class UniqueIndex<T> {
  readonly #rows = new Map<string | number, T>();
  readonly keyOf: KeyOf<T>;

  constructor(keyOf: KeyOf<T>) {
    this.keyOf = keyOf;
  }

  get(key: Key): T | undefined {
    return key === null || key === undefined ? undefined : this.#rows.get(key);
  }

  file(row: T, key: Key): void {
    if (key !== null && key !== undefined) this.#rows.set(key, row);
  }

  unfile(row: T, key: Key): void {
    if (key !== null && key !== undefined && this.#rows.get(key) === row) this.#rows.delete(key);
  }

  clear(): void {
    this.#rows.clear();
  }
}

const NONE: readonly never[] = Object.freeze([]);

/**
 * Rows by a key that many rows share, in order of arrival. A key with one row holds the row itself instead of an array:
 * most keys have few rows, and there are half a million.
 */
export class ManyIndex<T extends object> {
  readonly #rows = new Map<string | number, T | T[]>();
  /** Grows whenever a row is added, moved or removed. */
  changes = 0;
  readonly keyOf: KeyOf<T>;

  constructor(keyOf: KeyOf<T>) {
    this.keyOf = keyOf;
  }

  /** Returns the rows with the key. The array belongs to the index: read it, do not keep it. */
  get(key: Key): readonly T[] {
    if (key === null || key === undefined) return NONE;
    const held = this.#rows.get(key);
    if (held === undefined) return NONE;
    return Array.isArray(held) ? held : [held];
  }

  count(key: string | number): number {
    const held = this.#rows.get(key);
    if (held === undefined) return 0;
    return Array.isArray(held) ? held.length : 1;
  }

  file(row: T, key: Key): void {
    if (key === null || key === undefined) return;
    this.changes++;
    const held = this.#rows.get(key);
    if (held === undefined) this.#rows.set(key, row);
    else if (Array.isArray(held)) held.push(row);
    else this.#rows.set(key, [held, row]);
  }

  unfile(row: T, key: Key): void {
    if (key === null || key === undefined) return;
    this.changes++;
    const held = this.#rows.get(key);
    if (held === row) this.#rows.delete(key);
    else if (Array.isArray(held)) {
      const at = held.indexOf(row);
      if (at >= 0) held.splice(at, 1);
      if (held.length === 0) this.#rows.delete(key);
    }
  }

  clear(): void {
    this.#rows.clear();
    this.changes++;
  }
}

export type AnyIndex<T extends object> = UniqueIndex<T> | ManyIndex<T>;

/** What `add` takes: a row without the fields that the table fills in. */
export type NewRow<T extends Row> = Omit<T, 'id' | 'created_at' | 'updated_at'> &
  Partial<Pick<T, 'created_at' | 'updated_at'>> & { id?: number };

/**
 * One kind of object: rows by ID, with their indexes. Rows are never removed except by `clear`, because
 * Canvas deletes by state.
 */
export class Table<T extends Row, I extends Record<string, AnyIndex<T>> = Record<string, AnyIndex<T>>> {
  readonly #rows = new Map<number, T>();
  readonly #indexes: readonly AnyIndex<T>[];
  readonly #now: () => string;
  #nextId = 1;
  /** Grows with every change; caches of an older version are stale. */
  version = 0;
  /** JSON of single rows, by ID; changing a row removes its entry. */
  readonly renderings = new Map<number, { view: string; text: string }>();
  readonly #listeners: ((row: T) => void)[] = [];
  readonly by: I;

  constructor(now: () => string, by: I) {
    this.#now = now;
    this.by = by;
    this.#indexes = Object.values(by);
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: number | null | undefined): T | undefined {
    return id === null || id === undefined ? undefined : this.#rows.get(id);
  }

  /**
   * Returns the row of a foreign key in the store. Throws if it is missing, which is a fault of the sandbox.
   */
  must(id: number): T {
    const row = this.#rows.get(id);
    if (!row) throw new Error(`The store has no row ${id} of this kind`);
    return row;
  }

  /** Returns all rows in order of arrival, including deleted ones. */
  values(): IterableIterator<T> {
    return this.#rows.values();
  }

  /** Adds a row with the next free ID, or with its own ID (as seeds do). */
  add(fields: NewRow<T>): T {
    const id = fields.id ?? this.#nextId;
    if (id >= this.#nextId) this.#nextId = id + 1;
    const now = this.#now();
    const row = {
      ...fields,
      id,
      created_at: fields.created_at ?? now,
      updated_at: fields.updated_at ?? now,
    } as unknown as T;
    this.#rows.set(id, row);
    for (const index of this.#indexes) index.file(row, index.keyOf(row));
    this.#changed(row);
    return row;
  }

  /** Restores a stored row: overwrites its fields in the row with the same ID, or adds a new row. */
  put(row: T): void {
    const present = this.#rows.get(row.id);
    if (present) this.#write(present, row);
    else {
      if (row.id >= this.#nextId) this.#nextId = row.id + 1;
      this.#rows.set(row.id, row);
      for (const index of this.#indexes) index.file(row, index.keyOf(row));
    }
    this.#changed(present ?? row);
  }

  /** Reports a change to something that belongs to the row but is not one of its columns. */
  touch(row: T): void {
    this.#changed(row);
  }

  /** Calls back after each added or changed row; for lists that follow single changes. */
  onChange(listener: (row: T) => void): void {
    this.#listeners.push(listener);
  }

  #changed(row: T): void {
    this.version++;
    if (this.renderings.size > 0) this.renderings.delete(row.id);
    for (const listener of this.#listeners) listener(row);
  }

  /** Writes the fields, updates the affected indexes, and sets `updated_at`. */
  change(row: T, patch: Partial<Omit<T, 'id'>>): T {
    row.updated_at = this.#now();
    this.#write(row, patch);
    this.#changed(row);
    return row;
  }

  #write(row: T, patch: Partial<Omit<T, 'id'>>): void {
    const indexes = this.#indexes;
    const before = indexes.map((index) => index.keyOf(row));
    Object.assign(row, patch);
    for (let i = 0; i < indexes.length; i++) {
      const index = indexes[i] as AnyIndex<T>;
      const after = index.keyOf(row);
      if (after === before[i]) continue;
      index.unfile(row, before[i]);
      index.file(row, after);
    }
  }

  clear(): void {
    this.#rows.clear();
    this.renderings.clear();
    for (const index of this.#indexes) index.clear();
    this.#nextId = 1;
    this.version++;
  }
}
