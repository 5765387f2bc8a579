/**
 * Systems that the sandbox imitates. Each answers under its own path prefixes, with its own faults and log.
 * The steps around every request (`plumbing.ts`) ask a system only for what differs between systems.
 */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Fault, FaultSpec, Faults } from '../faults/faults.ts';
import type { Html } from './html.ts';
import type { RequestLog } from './request-log.ts';

export type System = {
  /** Name in the sandbox's own endpoints, such as `canvas`. */
  readonly id: string;
  /** Path prefixes that the system answers; `/` means everything that no other system answers. */
  readonly prefixes: readonly string[];
  readonly faults: Faults<string>;
  readonly log: RequestLog;
  readonly routes: FastifyPluginAsync;
  /** Restores the system's seed. */
  reset(): void;
  close?(): Promise<void>;
  /** The system's part of the front page. */
  onFrontPage?(): Html;
  /** The token or key with which the request identifies its client; null if none. */
  credentialOf(request: FastifyRequest): string | null;
  /** Ends a credential, for the fault `revoke-token`. */
  revoke(credential: string): void;
  /** Answers that there have been too many requests. */
  refuse(reply: FastifyReply): FastifyReply;
  readonly gate?: Gate;
  /** The body of an error that a fault returns instead of the route's answer. */
  failure(status: number, fault: number): unknown;
  /** Writes a thrown error. */
  answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply;
  /** Throws if the system has its own answer for unknown paths. */
  refuseUnknown?(request: FastifyRequest): void;
  /** Whether an answer to a read reports something as done, which must then be saved. */
  saysWhatIsDone?(url: string): boolean;
};

/** Counts each client's requests to a system, and reports the count. */
export type Gate = {
  /** False if there have been too many requests; nothing is booked for this one. */
  enter(passage: Passage): boolean;
  /** Called before the answer of an accepted request. */
  answer(passage: Passage, reply: FastifyReply): void;
  /** Called when the request is over, with or without an answer. */
  leave(passage: Passage): void;
};

/** A request on its way through the sandbox. */
export type Passage = {
  readonly system: System;
  readonly client: string;
  readonly startedAt: number;
  readonly at: string;
  /** Milliseconds of deliberate waiting, which do not count towards the cost. */
  waited: number;
  refused: boolean;
  left: boolean;
  /** Seconds of work. */
  cost: number;
  /** Whether to cut the connection once the answer is ready. */
  drop: 'body' | 'after' | null;
};

/** A fault as `GET /sandbox/faults` lists it. */
export type ListedFault = Fault & { system: string };

/** Paths that belong to no system; they have no throttling, log or faults. */
const OWN_PATHS = /^\/(?:sandbox(?:\/|$)|images\/|$)/;

export class Systems {
  readonly all: readonly System[];
  /** The default when a request names no system. */
  readonly first: System;
  /** Longest prefix first. */
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

  /** Finds the system with this name, or returns undefined if the name is unknown. */
  named(id: unknown): System | undefined {
    return this.all.find((system) => system.id === id);
  }

  /**
   * Finds the system of a path without its query, or returns null for one of the sandbox's own paths or an
   * unknown path.
   */
  at(path: string): System | null {
    if (OWN_PATHS.test(path)) return null;
    const found = this.#prefixes.find(
      ([prefix]) => prefix === '/' || path === prefix || path.startsWith(`${prefix}/`),
    );
    return found?.[1] ?? null;
  }

  /** Adds a fault. Its ID is unique across all systems. */
  addFault(system: System, spec: FaultSpec): ListedFault {
    return { ...system.faults.add(spec, this.#nextFault++), system: system.id };
  }

  listFaults(of: readonly System[] = this.all): ListedFault[] {
    return of.flatMap((system) => system.faults.list().map((fault) => ({ ...fault, system: system.id })));
  }

  /** Removes a fault, or returns false if the ID is unknown. */
  removeFault(id: number): boolean {
    return this.all.some(({ faults }) => faults.remove(id));
  }
}
