/**
 * Faults on demand: which failures a system has next, on which paths, and how often. Set and cleared over HTTP
 * (`faults/routes.ts`), acted out by `http/plumbing.ts` or, for a system's own kinds, by the system.
 */

import { z } from 'zod';

const KINDS = ['latency', 'hold', 'status', 'timeout', 'drop', 'throttle', 'revoke-token'] as const;

/** Returns the schema of `POST /sandbox/faults` for a system with these kinds of its own. */
export const faultSchema = (ownKinds: readonly string[]) =>
  z.strictObject({
    /** The fault's system; the sandbox's own endpoints resolve it. */
    system: z.string().optional(),
    /**
     * A path pattern, in which `*` matches anything; compared with the path, and with the query only if the
     * pattern has one.
     */
    match: z.string().min(1).default('*'),
    method: z
      .string()
      .regex(/^[A-Za-z]+$/)
      .transform((method) => method.toUpperCase())
      .optional(),
    /** `hold`: answered only after the fault is removed. */
    kind: z.enum([...KINDS, ...ownKinds]),
    /** For `status`: 500, 502, 503 … */
    status: z.number().int().min(400).max(599).default(500),
    /** For `latency`: milliseconds; for `timeout`: how long to stay silent before the connection is cut. */
    ms: z.number().min(0).max(3_600_000).optional(),
    /** For `latency`: a random delay between these milliseconds. */
    randomMs: z.tuple([z.number().min(0), z.number().min(0)]).optional(),
    /** The share of matching requests that the fault affects, 0 to 1. */
    share: z.number().min(0).max(1).default(1),
    /** How many matching requests to let pass first, for failures in a later step. */
    spares: z.number().int().min(0).default(0),
    /** How many requests to affect; then the fault ends. */
    count: z.number().int().min(1).optional(),
    /**
     * For `drop`: `body` cuts the connection in the middle of the answer, `before` cuts it without doing the
     * work, `after` does the work and cuts it without an answer, so that the client does not know the result.
     */
    when: z.enum(['before', 'body', 'after']).default('body'),
  });

export type FaultSpec = z.output<ReturnType<typeof faultSchema>>;

export type Fault = FaultSpec & { id: number; hits: number };

type Armed = { fault: Fault; pattern: RegExp; spared: number };

/**
 * The faults of a system. Shares follow a fixed sequence, so that a run can be repeated.
 * @template Own kinds that affect the system's own work instead of a request
 */
export class Faults<Own extends string = never> {
  readonly ownKinds: readonly Own[];
  #armed: Armed[] = [];
  /** For each active `hold`: callbacks that let its requests continue. */
  readonly #held = new Map<number, (() => void)[]>();
  #seed = 1;

  constructor(ownKinds: readonly Own[] = []) {
    this.ownKinds = ownKinds;
  }

  add(spec: FaultSpec, id: number): Fault {
    const fault: Fault = { ...spec, id, hits: 0 };
    const source = spec.match
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*');
    this.#armed.push({ fault, pattern: new RegExp(`^${source}$`), spared: 0 });
    if (fault.kind === 'hold') this.#held.set(id, []);
    return fault;
  }

  list(): Fault[] {
    return this.#armed.map(({ fault }) => fault);
  }

  /** Removes a fault, or returns false if the ID is unknown. */
  remove(id: number): boolean {
    const before = this.#armed.length;
    this.#armed = this.#armed.filter(({ fault }) => fault.id !== id);
    return this.#letGo(id) || this.#armed.length < before;
  }

  clear(): void {
    this.#armed = [];
    for (const id of this.#held.keys()) this.#letGo(id);
    this.#seed = 1;
  }

  /** Resolves when this `hold` is removed, or immediately if it already has been. */
  async takenBack(id: number): Promise<void> {
    const held = this.#held.get(id);
    if (held) await new Promise<void>((resolve) => void held.push(resolve));
  }

  /** Returns the faults that affect this request, and counts each. */
  take(method: string, url: string): Fault[] {
    if (this.#armed.length === 0) return [];
    const [path = ''] = url.split('?');
    return this.#play(
      ({ fault, pattern }) =>
        !this.#isOwn(fault) &&
        (!fault.method || fault.method === method) &&
        pattern.test(fault.match.includes('?') ? url : path),
    );
  }

  /** Returns the kind of fault for the system's own work that is starting, or null if there is none. */
  takeOwn(): Own | null {
    return (this.#play(({ fault }) => this.#isOwn(fault))[0]?.kind as Own | undefined) ?? null;
  }

  /** Returns a number from 0 to 1; the sequence repeats after each clear. */
  random(): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#seed / 4_294_967_296;
  }

  /** Lets the requests of a `hold` continue, or returns false if the ID is unknown. */
  #letGo(id: number): boolean {
    for (const goOn of this.#held.get(id) ?? []) goOn();
    return this.#held.delete(id);
  }

  #isOwn({ kind }: Fault): boolean {
    return this.ownKinds.some((own) => own === kind);
  }

  #play(hits: (armed: Armed) => boolean): Fault[] {
    const played: Fault[] = [];
    for (const armed of this.#armed) {
      if (!hits(armed) || armed.spared++ < armed.fault.spares) continue;
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
