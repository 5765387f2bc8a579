/** Protocol between a command and the server with the embedded database: JSON lines over a socket. */
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';

export const socketPath = (dataFolder: string) => join(dataFolder, 'commands.sock');

/** Message of the command, sent once. */
export const request = z.object({
  version: z.string(),
  operation: z.string(),
  args: z.looseObject({ login: z.string() }),
});

/** Messages of the server: text as it arrives, then the outcome. */
export const reply = z.union([
  z.object({ text: z.string() }),
  z.object({ result: z.unknown() }),
  /** `refused`: the message is meant for people. */
  z.object({ failed: z.string(), refused: z.boolean() }),
]);
export type Reply = z.input<typeof reply>;

/** Yields the lines of a stream, without line endings. */
export async function* linesOf(stream: Readable | AsyncIterable<Buffer>): AsyncGenerator<string, void, void> {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const [head = '', ...rest] = decoder.write(chunk).split('\n');
    parts.push(head);
    for (const one of rest) {
      yield parts.join('');
      parts = [one];
    }
  }
  const last = parts.join('') + decoder.end();
  if (last !== '') yield last;
}
