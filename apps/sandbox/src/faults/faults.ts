/**
 * Faults on demand: what goes wrong next, on which paths, how often. Set and cleared over HTTP
 * (`faults/routes.ts`), played by `http/plumbing.ts` and, for imports, by the import worker.
 */

import { z } from 'zod';

const kinds = z.enum([
  'latency',
  'status',
  'timeout',
  'drop',
  'throttle',
  'revoke-token',
  'import-hang',
  'import-fail',
  'import-crash',
]);

/** What `POST /sandbox/faults` takes. */
export const faultSchema = z.strictObject({
  /** Path pattern, `*` matches anything; matched against the path, and its query only where the pattern has one. */
  match: z.string().min(1).default('*'),
  method: z
    .string()
    .regex(/^[A-Za-z]+$/)
    .transform((method) => method.toUpperCase())
    .optional(),
  kind: kinds,
  /** For `status`: 500, 502, 503 … */
  status: z.number().int().min(400).max(599).default(500),
  /** For `latency`: milliseconds; for `timeout`: how long the connection stays silent before it is cut. */
  ms: z.number().min(0).max(3_600_000).optional(),
  /** For `latency`: between these many milliseconds. */
  randomMs: z.tuple([z.number().min(0), z.number().min(0)]).optional(),
  /** The share of matching requests that is hit, 0 to 1. */
  share: z.number().min(0).max(1).default(1),
  /** How many hits, then the fault is over. */
  count: z.number().int().min(1).optional(),
  /**
   * For `drop`: `body` cuts in the middle of the answer, `before` cuts without doing the work,
   * `after` does the work and cuts without an answer, so that the client cannot know its fate.
   */
  when: z.enum(['before', 'body', 'after']).default('body'),
});

export type FaultSpec = z.output<typeof faultSchema>;
export type FaultKind = FaultSpec['kind'];
export type ImportFault = { kind: 'import-hang' | 'import-fail' | 'import-crash' };

/** A fault as `GET /sandbox/faults` lists it. */
export type Fault = FaultSpec & { id: number; hits: number };

type Armed = { fault: Fault; pattern: RegExp };

const IMPORT_KINDS: ReadonlySet<string> = new Set(['import-hang', 'import-fail', 'import-crash']);

/** The faults that are set. Shares are dealt by a fixed sequence, so that a run can be repeated. */
export class Faults {
  #armed: Armed[] = [];
  #nextId = 1;
  #seed = 1;

  add(spec: FaultSpec): Fault {
    const fault: Fault = { ...spec, id: this.#nextId++, hits: 0 };
    const source = spec.match
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*');
    this.#armed.push({ fault, pattern: new RegExp(`^${source}$`) });
    return fault;
  }

  list(): Fault[] {
    return this.#armed.map(({ fault }) => fault);
  }

  /** Takes one fault back; false when there is none of this id. */
  remove(id: number): boolean {
    const before = this.#armed.length;
    this.#armed = this.#armed.filter(({ fault }) => fault.id !== id);
    return this.#armed.length < before;
  }

  clear(): void {
    this.#armed = [];
    this.#seed = 1;
  }

  /** The faults that hit this request; each counts as played. */
  take(method: string, url: string): Fault[] {
    if (this.#armed.length === 0) return [];
    const [path = ''] = url.split('?');
    return this.#play(
      ({ fault, pattern }) =>
        !IMPORT_KINDS.has(fault.kind) &&
        (!fault.method || fault.method === method) &&
        pattern.test(fault.match.includes('?') ? url : path),
    );
  }

  /** The fault for an import that starts, see `SandboxContext.takeImportFault`. */
  takeImport(): ImportFault | null {
    const fault = this.#play(({ fault }) => IMPORT_KINDS.has(fault.kind))[0];
    return fault ? { kind: fault.kind as ImportFault['kind'] } : null;
  }

  /** A number from 0 to 1, the same sequence after each clear. */
  random(): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#seed / 4_294_967_296;
  }

  #play(hits: (armed: Armed) => boolean): Fault[] {
    const played: Fault[] = [];
    for (const armed of this.#armed) {
      if (!hits(armed)) continue;
      if (armed.fault.share < 1 && this.random() >= armed.fault.share) continue;
      armed.fault.hits++;
      played.push({ ...armed.fault });
    }
    if (played.length > 0) {
      this.#armed = this.#armed.filter(({ fault }) => fault.count === undefined || fault.hits < fault.count);
    }
    return played;
  }
}
