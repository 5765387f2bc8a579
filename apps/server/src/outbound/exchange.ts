/** One request and its answer over one connection, with limits for time and bytes. Nothing is repeated here. */
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { OutsideErrorKind } from '../platform/outside.ts';
import { OutboundAnswer } from './answer.ts';
import type { FailureDetails, OutsideError } from './errors.ts';
import type { OutboundRequest, OutboundStream } from './types.ts';

export interface Exchange {
  request: Pick<OutboundRequest, 'method' | 'path' | 'body' | 'signal'>;
  headers: Record<string, string>;
  maxBytes: number;
  wholeMs: number;
  /** Whether a 2xx answer is returned as soon as it begins. */
  streamed: boolean;
  failure(kind: OutsideErrorKind, failure: FailureDetails): OutsideError;
  /** Called once when the exchange has ended, before the promise settles. */
  onEnd(end: { answer: OutboundAnswer | null; error: unknown }): void;
}

const TIMED_OUT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/** Makes the exchange. @throws the error that `failure` creates, or the reason of the request's signal */
export function exchange(pool: Dispatcher, what: Exchange): Promise<OutboundStream> {
  return new Promise((resolve, reject) => {
    const { method, path, body } = what.request;
    const sent = typeof body === 'function' ? Readable.from(body()) : (body ?? null);
    const receiver = new Receiver(what, sent instanceof Readable ? sent : null, resolve, reject);
    pool.dispatch({ method, path, headers: what.headers, body: sent }, receiver);
  });
}

/** Receives the answer from undici. A request that undici has not started has certainly not been sent. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #what: Exchange;
  readonly #sent: Readable | null;
  readonly #resolve: (received: OutboundStream) => void;
  readonly #reject: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.#stop(this.#what.request.signal?.reason);
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #controller: Dispatcher.DispatchController | null = null;
  #head: { status: number; headers: IncomingHttpHeaders } | null = null;
  #streamed: { answer: OutboundAnswer; body: Readable } | null = null;
  #over = false;

  constructor(
    what: Exchange,
    sent: Readable | null,
    resolve: (received: OutboundStream) => void,
    reject: (error: unknown) => void,
  ) {
    this.#what = what;
    this.#sent = sent;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#fail('timeout', 'no complete answer in time'), what.wholeMs);
    what.request.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Given up while waiting for a connection.
    if (this.#over) controller.abort(new Error('given up'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#over || status < 200) return;
    this.#head = { status, headers };
    if (this.#what.request.method !== 'HEAD' && Number(headers['content-length']) > this.#what.maxBytes) {
      this.#tooMuch();
    } else if (this.#what.streamed && status < 300) {
      const answer = new OutboundAnswer(status, headers, Buffer.alloc(0));
      const body = new Readable({
        read: () => this.#controller?.resume(),
        destroy: (error, done) => {
          this.#stop(error ?? new Error('the reader has stopped'));
          done(error);
        },
      });
      this.#streamed = { answer, body };
      this.#resolve(this.#streamed);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#what.maxBytes) this.#tooMuch();
    else if (!this.#streamed) this.#chunks.push(chunk);
    else if (!this.#streamed.body.push(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#over || !this.#head) return;
    const { status, headers } = this.#head;
    if (this.#streamed) {
      this.#end(this.#streamed.answer, null);
      this.#streamed.body.push(null);
      return;
    }
    const [only] = this.#chunks;
    const body = only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    const answer = new OutboundAnswer(status, headers, body);
    this.#end(answer, null);
    this.#resolve({ answer, body: null });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const code = 'code' in error ? String(error.code) : 'unknown';
    if (TIMED_OUT.has(code) && this.#controller) this.#fail('timeout', 'no answer in time', error);
    else this.#fail('down', code, error);
  }

  #tooMuch(): void {
    this.#fail('too-much', `an answer of more than ${this.#what.maxBytes} bytes`);
  }

  #fail(kind: OutsideErrorKind, detail: string, cause?: unknown): void {
    if (this.#over) return;
    const { status = null } = this.#head ?? {};
    const sent = this.#controller === null ? 'no' : 'maybe';
    this.#stop(this.#what.failure(kind, { status, sent, detail, cause }));
  }

  /** Ends the exchange from this side. */
  #stop(error: unknown): void {
    if (this.#over) return;
    this.#end(this.#streamed?.answer ?? null, error);
    const reason = error instanceof Error ? error : new Error('given up', { cause: error });
    if (this.#streamed) this.#streamed.body.destroy(reason);
    else this.#reject(error);
    this.#controller?.abort(reason);
  }

  #end(answer: OutboundAnswer | null, error: unknown): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#what.request.signal?.removeEventListener('abort', this.#onAbort);
    this.#sent?.destroy();
    this.#what.onEnd({ answer, error });
  }
}
