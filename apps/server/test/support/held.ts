/**
 * Requests that the sandbox holds until a test releases them, for events that must happen while a request is
 * in flight.
 */

export interface Held {
  /** Waits until a request is held. */
  reached(): Promise<void>;
  /** Releases all held requests, and stops holding new ones. */
  letGo(): Promise<void>;
}

/** @param spec the requests to hold, in the form of a fault */
export async function hold({ url }: { url: string }, spec: Record<string, unknown>): Promise<Held> {
  const faults = `${url}/sandbox/faults`;
  const set = await fetch(faults, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...spec, kind: 'hold' }),
  });
  if (set.status !== 201) throw new Error(await set.text());
  const { id } = (await set.json()) as { id: number };
  const hits = async () => {
    const listed = (await (await fetch(faults)).json()) as { faults: { id: number; hits: number }[] };
    return listed.faults.find((fault) => fault.id === id)?.hits;
  };
  return {
    async reached() {
      for (let seen = await hits(); seen === 0; seen = await hits())
        await new Promise((resolve) => setTimeout(resolve, 10));
    },
    async letGo() {
      await fetch(`${faults}/${id}`, { method: 'DELETE' });
    },
  };
}
