/** An answer as received, without interpretation. */
import type { IncomingHttpHeaders } from 'node:http';

export class OutboundAnswer {
  readonly status: number;
  /** Empty for a streamed answer. */
  readonly body: Buffer;
  readonly #headers: IncomingHttpHeaders;
  #text: string | null = null;

  constructor(status: number, headers: IncomingHttpHeaders, body: Buffer) {
    this.status = status;
    this.#headers = headers;
    this.body = body;
  }

  /** Returns a header by its lower-case name; repeated headers are joined by commas. */
  header(name: string): string | undefined {
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(',') : value;
  }

  /** Returns the body as UTF-8, without a byte order mark. */
  get text(): string {
    this.#text ??= decoded(this.body);
    return this.#text;
  }

  /** Lists the names and values of all headers. */
  headers(): [string, string][] {
    return Object.keys(this.#headers).map((name) => [name, this.header(name) ?? '']);
  }
}

/** Decodes a body, several times faster than a TextDecoder for bodies of a few hundred kilobytes. */
function decoded(body: Buffer): string {
  const marked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return body.toString('utf8', marked ? 3 : 0);
}
