/**
 * The server with a kind of work for tests, whose outside system is a ledger over HTTP. A test bundles and
 * starts it.
 */
import { buildServer } from '../../src/app.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { type Ledger, testKind } from '../jobs/work.ts';

const address = process.env.LEDGER_URL ?? '';
const ledger: Ledger = {
  async add(jobId, label) {
    const response = await fetch(`${address}/${jobId}/${label}`, { method: 'POST' });
    if (!response.ok) throw new Error(`the ledger answered ${response.status}`);
  },
  has: async (jobId, label) => (await fetch(`${address}/${jobId}/${label}`)).status === 200,
};

const server = await buildServer(loadConfig(process.env), { jobKinds: [testKind(ledger)], console: null });
await server.listen();
console.log(`ready on ${server.url}`);
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
