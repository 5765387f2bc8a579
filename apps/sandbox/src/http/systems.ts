/**
 * The systems that the sandbox imitates. Each answers below prefixes of its own, with faults and a log of its own;
 * what happens around every request (`plumbing.ts`) asks it only for what it does in its own way.
 */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Fault, FaultSpec, Faults } from '../faults/faults.ts';
import type { Html } from './html.ts';
import type { RequestLog } from './request-log.ts';

export type System = {
  /** Its name in the handles of the sandbox, such as `canvas`. */
  readonly id: string;
  /** It answers at these paths and below them; `/` is everything that no other system has. */
  readonly prefixes: readonly string[];
  readonly faults: Faults<string>;
  readonly log: RequestLog;
  readonly routes: FastifyPluginAsync;
  /** Puts its seed back. */
  reset(): void;
  close?(): Promise<void>;
  /** What it shows of itself on the front page. */
  onFrontPage?(): Html;
  /** The token, key … by which the request says who asks; null: it does not say. */
  credentialOf(request: FastifyRequest): string | null;
  /** Ends a credential, for the fault `revoke-token`. */
  revoke(credential: string): void;
  /** Says that there were too many requests. */
  refuse(reply: FastifyReply): FastifyReply;
  readonly gate?: Gate;
  /** The body of an answer that a fault gives in place of a route. */
  failure(status: number, fault: number): unknown;
  /** Writes what was thrown. */
  answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply;
  /** Throws when it refuses paths that it does not know in a way of its own. */
  refuseUnknown?(request: FastifyRequest): void;
  /** Whether an answer to reading says that something was done, which must then be remembered. */
  saysWhatIsDone?(url: string): boolean;
};

/** How a system counts what each client asks of it, and says so. */
export type Gate = {
  /** False: too many requests, and nothing is booked for this one. */
  enter(passage: Passage): boolean;
  /** Before the answer of a request that was not refused. */
  answer(passage: Passage, reply: FastifyReply): void;
  /** The request is over, with an answer or without. */
  leave(passage: Passage): void;
};

/** One request on its way through. */
export type Passage = {
  readonly system: System;
  readonly client: string;
  readonly startedAt: number;
  readonly at: string;
  /** Milliseconds that were waited on purpose: not part of the cost. */
  waited: number;
  refused: boolean;
  left: boolean;
  /** Seconds of work. */
  cost: number;
  /** A connection to be cut once the answer is there. */
  drop: 'body' | 'after' | null;
};

/** A fault as `GET /sandbox/faults` lists it. */
export type ListedFault = Fault & { system: string };

/** Paths that are no system's: neither throttled nor logged nor broken. */
const OWN_PATHS = /^\/(?:sandbox(?:\/|$)|images\/|$)/;

export class Systems {
  readonly all: readonly System[];
  /** It is meant where no system is named. */
  readonly first: System;
  /** Longest first. */
  readonly #prefixes: readonly (readonly [prefix: string, system: System])[];
  #nextFault = 1;

  constructor(all: readonly [System, ...System[]]) {
    this.all = all;
    [this.first] = all;
    this.#prefixes = all
      .flatMap((system) => system.prefixes.map((prefix) => [prefix, system] as const))
      .sort(([a], [b]) => b.length - a.length);
    for (const names of [all.map(({ id }) => id), this.#prefixes.map(([prefix]) => prefix)])
      if (new Set(names).size < names.length) throw new Error(`one of ${names.join(', ')} is taken twice`);
  }

  get ids(): string[] {
    return this.all.map(({ id }) => id);
  }

  /** Undefined: there is none of this name. */
  named(id: unknown): System | undefined {
    return this.all.find((system) => system.id === id);
  }

  /** Whose a path, without its query, is; null: the sandbox's own, or nobody's. */
  at(path: string): System | null {
    if (OWN_PATHS.test(path)) return null;
    const found = this.#prefixes.find(
      ([prefix]) => prefix === '/' || path === prefix || path.startsWith(`${prefix}/`),
    );
    return found?.[1] ?? null;
  }

  /** Sets a fault; its id is the only one of all systems. */
  addFault(system: System, spec: FaultSpec): ListedFault {
    return { ...system.faults.add(spec, this.#nextFault++), system: system.id };
  }

  listFaults(of: readonly System[] = this.all): ListedFault[] {
    return of.flatMap((system) => system.faults.list().map((fault) => ({ ...fault, system: system.id })));
  }

  /** Takes one fault back; false when there is none of this id. */
  removeFault(id: number): boolean {
    return this.all.some(({ faults }) => faults.remove(id));
  }
}
