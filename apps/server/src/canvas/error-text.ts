/** Extracts Canvas's own message from an error answer; handles all body formats (reference §3). */

const MOST = 300;

/** Returns the messages of an error body on one line, or an empty text if there are none. */
export function errorText(contentType: string, text: string): string {
  if (!contentType.includes('json')) return contentType.startsWith('text/plain') ? oneLine(text) : '';
  try {
    return oneLine([...messagesIn(JSON.parse(text))].join(' - '));
  } catch {
    return '';
  }
}

function* messagesIn(body: unknown): Generator<string> {
  if (typeof body === 'string') yield body;
  else if (Array.isArray(body)) for (const one of body) yield* messagesIn(one);
  else if (typeof body === 'object' && body !== null) {
    const record = body as Record<string, unknown>;
    if (record.errors !== undefined) yield* messagesIn(record.errors);
    else if (typeof record.message === 'string') yield record.message;
    else if (typeof record.error_description === 'string') yield record.error_description;
    else if (typeof record.error_message === 'string') yield record.error_message;
    else if (typeof record.error === 'string') yield record.error;
    // Errors keyed by field: the messages are nested below the field's name.
    else for (const value of Object.values(record)) if (typeof value === 'object') yield* messagesIn(value);
  }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
}
