/** Newline-delimited JSON: a body that is read while it is still being written. */

/** Yields each line of a body as parsed JSON; empty lines are keep-alives. Leaving the loop cancels the transfer. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void, void> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const parts = (rest + value).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) if (line.trim() !== '') yield JSON.parse(line);
    }
    if (rest.trim() !== '') yield JSON.parse(rest);
  } finally {
    // Harmless at the end of the body; before that, it tells the server that reading has stopped.
    await reader.cancel().catch(() => undefined);
  }
}
