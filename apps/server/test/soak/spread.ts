/**
 * A browser in front of several servers, as behind a proxy without sticky sessions: each request can go to
 * any of them.
 */
import { Browser } from '../support/browser.ts';

/** Time that a request looks for a server that answers, in milliseconds. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 250;

/** Statuses of a server whose database is unavailable, or that is stopping. */
const ELSEWHERE = new Set([502, 503]);

export interface Reads {
  /** The duration of each read that a server answered, in milliseconds. */
  ms: number[];
  /** Answers that said that the database is unavailable. */
  away: number;
}

export class SpreadBrowser extends Browser {
  readonly #servers: readonly string[];

  /** @param servers addresses; the first is the public one */
  constructor(servers: readonly string[]) {
    super(servers[0] ?? '');
    this.#servers = servers;
  }

  /** Asks the servers in turn until one answers, like a person who tries again. */
  override async fetch(
    address: string,
    init: RequestInit & { origin?: string | null } = {},
  ): Promise<Response> {
    const deadline = Date.now() + PATIENCE_MS;
    for (let turn = Math.floor(Math.random() * this.#servers.length); ; turn++) {
      const at = new URL(address, this.#servers[turn % this.#servers.length]).href;
      try {
        const response = await super.fetch(at, { origin: this.home, ...init });
        if (!ELSEWHERE.has(response.status) || Date.now() > deadline) return response;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }

  /**
   * Times one read by one server. It does not wait for a killed server or for a database that is unavailable.
   */
  async timed(path: string, reads: Reads): Promise<void> {
    const server = this.#servers[Math.floor(Math.random() * this.#servers.length)];
    const began = performance.now();
    try {
      const response = await super.fetch(new URL(path, server).href);
      await response.arrayBuffer();
      if (ELSEWHERE.has(response.status)) reads.away++;
      else if (response.status === 200) reads.ms.push(performance.now() - began);
      else throw new Error(`${path}: ${response.status}`);
    } catch (error) {
      // The server was killed, so a proxy would ask another one.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}
