/**
 * Faults on demand: what goes wrong next in a system, on which paths, how often. Set and cleared over HTTP
 * (`faults/routes.ts`), played by `http/plumbing.ts` and, where they are the system's own, by the system.
 */

import { z } from 'zod';

const KINDS = ['latency', 'hold', 'status', 'timeout', 'drop', 'throttle', 'revoke-token'] as const;

/** What `POST /sandbox/faults` takes for a system that has these kinds of its own. */
export const faultSchema = (ownKinds: readonly string[]) =>
  z.strictObject({
    /** The system it is set in; the handles resolve it. */
    system: z.string().optional(),
    /** Path pattern, `*` matches anything; matched against the path, and its query only where the pattern has one. */
    match: z.string().min(1).default('*'),
    method: z
      .string()
      .regex(/^[A-Za-z]+$/)
      .transform((method) => method.toUpperCase())
      .optional(),
    /** `hold`: answered once the fault is taken back, however long that takes. */
    kind: z.enum([...KINDS, ...ownKinds]),
    /** For `status`: 500, 502, 503 … */
    status: z.number().int().min(400).max(599).default(500),
    /** For `latency`: milliseconds; for `timeout`: how long the connection stays silent before it is cut. */
    ms: z.number().min(0).max(3_600_000).optional(),
    /** For `latency`: between these many milliseconds. */
    randomMs: z.tuple([z.number().min(0), z.number().min(0)]).optional(),
    /** The share of matching requests that is hit, 0 to 1. */
    share: z.number().min(0).max(1).default(1),
    /** How many matching requests it lets pass first: what goes wrong at the second step of something. */
    spares: z.number().int().min(0).default(0),
    /** How many hits, then the fault is over. */
    count: z.number().int().min(1).optional(),
    /**
     * For `drop`: `body` cuts in the middle of the answer, `before` cuts without doing the work,
     * `after` does the work and cuts without an answer, so that the client cannot know its fate.
     */
    when: z.enum(['before', 'body', 'after']).default('body'),
  });

export type FaultSpec = z.output<ReturnType<typeof faultSchema>>;

export type Fault = FaultSpec & { id: number; hits: number };

type Armed = { fault: Fault; pattern: RegExp; spared: number };

/**
 * The faults that are set in a system. Shares are dealt by a fixed sequence, so that a run can be repeated.
 * @template Own kinds that hit no request, but work that the system does by itself
 */
export class Faults<Own extends string = never> {
  readonly ownKinds: readonly Own[];
  #armed: Armed[] = [];
  /** Of each `hold` that was not taken back: how the requests that it holds go on. */
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

  /** Takes one fault back; false when there is none of this id. */
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

  /** Ends when this `hold` is taken back; at once when it already was. */
  async takenBack(id: number): Promise<void> {
    const held = this.#held.get(id);
    if (held) await new Promise<void>((resolve) => void held.push(resolve));
  }

  /** The faults that hit this request; each counts as played. */
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

  /** The kind of the fault that hits a piece of the system's own work, which starts; null: none does. */
  takeOwn(): Own | null {
    return (this.#play(({ fault }) => this.#isOwn(fault))[0]?.kind as Own | undefined) ?? null;
  }

  /** A number from 0 to 1, the same sequence after each clear. */
  random(): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#seed / 4_294_967_296;
  }

  /** Lets the requests of a `hold` go on; false when there is none of this id. */
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
