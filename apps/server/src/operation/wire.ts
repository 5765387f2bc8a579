/** How a command and the server that has the embedded database talk: a JSON line each, over a socket in the data folder. */
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';

export const socketPath = (dataFolder: string) => join(dataFolder, 'commands.sock');

/** What the command sends, once. */
export const request = z.object({
  version: z.string(),
  operation: z.string(),
  args: z.looseObject({ login: z.string() }),
});

/** What the server sends: text as it comes, then how it ended. */
export const reply = z.union([
  z.object({ text: z.string() }),
  z.object({ result: z.unknown() }),
  /** `refused`: in words for people. */
  z.object({ failed: z.string(), refused: z.boolean() }),
]);
export type Reply = z.input<typeof reply>;

/** The lines of a stream, without their ends. */
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
