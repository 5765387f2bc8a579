/** A session storage in memory, with an optional size limit. */
export class MemoryStorage implements Storage {
  readonly kept = new Map<string, string>();
  full = false;
  get length() {
    return this.kept.size;
  }
  clear() {
    this.kept.clear();
  }
  key(index: number) {
    return [...this.kept.keys()][index] ?? null;
  }
  getItem(name: string) {
    return this.kept.get(name) ?? null;
  }
  setItem(name: string, value: string) {
    if (this.full) throw new DOMException('full', 'QuotaExceededError');
    this.kept.set(name, value);
  }
  removeItem(name: string) {
    this.kept.delete(name);
  }
}
