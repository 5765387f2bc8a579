/** Finds PostgreSQL for the tests. Uses only Node's own modules. */
import { connect } from 'node:net';

const PORT = 5432;
const ANSWER_MS = 1_000;

/**
 * Finds a PostgreSQL for tests, and returns its address: TEST_DATABASE_URL, otherwise the one that answers on
 * this machine, otherwise null.
 */
export async function findPostgres() {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
  const answers = await new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: PORT, timeout: ANSWER_MS });
    socket.on('connect', () => resolve(true));
    for (const event of ['error', 'timeout', 'close']) socket.on(event, () => resolve(false));
    socket.on('connect', () => socket.destroy()).on('timeout', () => socket.destroy());
  });
  return answers ? `postgres://postgres@127.0.0.1:${PORT}/postgres` : null;
}
