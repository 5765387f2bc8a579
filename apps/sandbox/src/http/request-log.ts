/**
 * The requests to this sandbox, so that a test can check, for example, that there were 12 calls, at most 11 of them
 * simultaneous.
 */

export type LoggedRequest = {
  /** Start, as ISO 8601 with milliseconds. */
  at: string;
  /** A short name of the token, or the address. */
  client: string;
  method: string;
  /** Including the query, without secrets. */
  path: string;
  /** Null: the connection was cut before an answer. */
  status: number | null;
  cost: number;
  ms: number;
};

export type ClientSummary = { requests: number; highWater: number; inFlight: number; throttled: number };

const MOST_KEPT = 20_000;

/** The latest requests, and how many ran simultaneously, in total and by client. */
export class RequestLog {
  #requests: LoggedRequest[] = [];
  readonly #clients = new Map<string, ClientSummary>();
  #inFlight = 0;
  #highWater = 0;
  #total = 0;

  enter(client: string): void {
    this.#inFlight++;
    this.#highWater = Math.max(this.#highWater, this.#inFlight);
    const summary = this.#summary(client);
    summary.requests++;
    summary.inFlight++;
    summary.highWater = Math.max(summary.highWater, summary.inFlight);
    this.#total++;
  }

  leave(entry: LoggedRequest, throttled: boolean): void {
    this.#inFlight = Math.max(0, this.#inFlight - 1);
    const summary = this.#summary(entry.client);
    summary.inFlight = Math.max(0, summary.inFlight - 1);
    if (throttled) summary.throttled++;
    this.#requests.push(entry);
    if (this.#requests.length > 2 * MOST_KEPT) this.#requests = this.#requests.slice(-MOST_KEPT);
  }

  read(): {
    requests: LoggedRequest[];
    total: number;
    highWater: number;
    byClient: Record<string, ClientSummary>;
  } {
    return {
      requests: this.#requests.slice(-MOST_KEPT),
      total: this.#total,
      highWater: this.#highWater,
      byClient: Object.fromEntries(this.#clients),
    };
  }

  /** Deletes past requests; running ones are still counted. */
  clear(): void {
    this.#requests = [];
    this.#total = 0;
    this.#highWater = this.#inFlight;
    for (const [client, summary] of this.#clients) {
      if (summary.inFlight === 0) this.#clients.delete(client);
      else {
        summary.requests = 0;
        summary.throttled = 0;
        summary.highWater = summary.inFlight;
      }
    }
  }

  #summary(client: string): ClientSummary {
    let summary = this.#clients.get(client);
    if (!summary) {
      summary = { requests: 0, highWater: 0, inFlight: 0, throttled: 0 };
      this.#clients.set(client, summary);
    }
    return summary;
  }
}
