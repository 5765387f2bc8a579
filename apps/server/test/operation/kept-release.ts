/**
 * Data from an earlier release: its database and its practice LMS, adjusted to the current address and time.
 */
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import pg from 'pg';
import { chosenDatabase, freshDatabase } from '../support/databases.ts';

const KEPT = join(import.meta.dirname, 'kept');
/** The releases whose data is kept. */
export const KEPT_RELEASES = readdirSync(KEPT, { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => name);
/** Times in the formats that the database and the practice LMS use. */
const MOMENT = /\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:\+00|Z)/g;

interface Asked {
  course: number;
  people: number[];
}

/** Numbers and ids of the work done with that release. */
interface Made {
  home: string;
  lms: string;
  madeAt: string;
  added: Asked & { import: string };
  removed: Asked & { import: string };
  waiting: Asked & { import: string };
  openPlan: Asked & { plan: string };
  openSectionPlan: { plan: string; section: number; people: number[] };
  openGroupPlan: { plan: string; category: number; groups: string[] };
  openFile: Asked & { file: string };
  draft: string;
  zoom: { course: number; events: number[]; meetings: number[] };
  export: string;
  image: string;
  cookies: Record<'alma' | 'bruno', [string, string][]>;
}

export interface KeptRelease {
  made: Made;
  sandbox: Sandbox;
  /** Settings that name the database and the data folder. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** @param name the release's folder @param home the current server's address */
export async function openKept(name: string, home: string): Promise<KeptRelease> {
  const read = (file: string) => readFile(join(KEPT, name, file));
  const made = JSON.parse(String(await read('made.json'))) as Made;
  const shift = Date.now() - Date.parse(made.madeAt);
  // Moves the times of a release to today. Otherwise the release's reviews and sessions would have expired,
  // and old work would be deleted.
  const today = (text: string) =>
    text.replace(MOMENT, (at) => {
      const moved = new Date(Date.parse(at.replace(' ', 'T').replace('+00', 'Z')) + shift).toISOString();
      return at.endsWith('Z') ? (at.includes('.') ? moved : moved.replace(/\.\d+Z$/, 'Z')) : moved;
    });
  const campus = await mkdtemp(join(tmpdir(), 'lms-admin-kept-'));
  const files = JSON.parse(String(gunzipSync(await read('campus.json.gz')))) as Record<string, string>;
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(campus, path)), { recursive: true });
    await writeFile(join(campus, path), today(text));
  }
  const sandbox = await startSandbox({
    port: 0,
    data: campus,
    mode: 'test',
    importPace: 'instant',
    throttle: false,
  });
  const sql = today(String(gunzipSync(await read('database.sql.gz'))))
    .replaceAll(made.lms, sandbox.url.replace('127.0.0.1', 'localhost'))
    .replaceAll(made.home, home);
  const folder = await mkdtemp(join(tmpdir(), 'lms-admin-kept-'));
  const { env, drop } = await filled(sql, folder);
  return {
    made,
    sandbox,
    env: { LMS_ADMIN_DATA: folder, ...env },
    async close() {
      await sandbox.close();
      await drop();
      for (const one of [campus, folder]) await rm(one, { recursive: true, force: true });
    },
  };
}

async function filled(
  sql: string,
  folder: string,
): Promise<{ env: Record<string, string>; drop: () => Promise<void> }> {
  if (chosenDatabase() === 'pglite') {
    const client = new PGlite(join(folder, 'db'));
    await client.exec(sql);
    await client.close();
    return { env: {}, drop: async () => {} };
  }
  const { url, drop } = await freshDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
  return { env: { DATABASE_URL: url }, drop };
}
