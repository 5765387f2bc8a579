import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { build } from 'esbuild';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/platform/database.ts';
import { FolderInUse, lockFolder } from '../../src/platform/lock.ts';
import { NewerDatabase } from '../../src/platform/migrations.ts';
import { openDatabase } from '../../src/platform/open-database.ts';
import { audit, filePieces } from '../../src/platform/schema.ts';
import { startFailure } from '../../src/platform/start-failure.ts';
import { freshDatabase } from '../support/databases.ts';
import { mutingProxy } from '../support/muting-proxy.ts';

const kind = process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'pglite';
const server = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const name = `lms_admin_db_${randomUUID().slice(0, 8)}`;
let folder: string;

async function onServer(sql: string) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const url = () => {
  const address = new URL(server);
  address.pathname = `/${name}`;
  return address.href;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lms-admin-'));
  if (kind === 'postgres') await onServer(`CREATE DATABASE ${name}`);
});
afterAll(async () => {
  if (kind === 'postgres') await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
  await rm(folder, { recursive: true, force: true });
});

const open = () =>
  openDatabase(
    kind === 'postgres'
      ? { databaseUrl: url(), dataDir: null }
      : { databaseUrl: null, dataDir: join(folder, 'data') },
  );

describe(`database on ${kind}`, () => {
  let database: Database;

  test('keeps rows, bytes and times across a restart', async () => {
    database = await open();
    const id = randomUUID();
    // All byte values, as part of a larger buffer.
    const data = Uint8Array.from({ length: 600 }, (_, at) => at).subarray(17, 573);
    await database.db.insert(filePieces).values({ fileId: id, seq: 1, data });
    await database.close();
    database = await open();
    const [row] = await database.db.select().from(filePieces).where(eq(filePieces.fileId, id));
    expect(row && [...row.data]).toEqual([...data]);
    expect(Math.abs(Date.now() - (row?.createdAt.getTime() ?? 0))).toBeLessThan(120_000);
  });

  test("runs a library's SQL: several statements in one text, values, and a failure that leaves nothing open", async () => {
    await database.exec('BEGIN; CREATE TABLE scratch (a int); INSERT INTO scratch VALUES (1); COMMIT;');
    expect((await database.exec('SELECT a FROM scratch WHERE a = $1', [1])).rows).toEqual([{ a: 1 }]);
    await expect(database.exec('BEGIN; SELECT 1/0; COMMIT;')).rejects.toThrow(/zero/);
    await database.db
      .insert(audit)
      .values({ login: 'a', tool: 'test', event: 'x', detail: { nested: ['y'] } });
    const [line] = await database.db.select().from(audit);
    expect(line?.detail).toEqual({ nested: ['y'] });
    await database.close();
  });

  test('OP-45 a database that a newer version has used is rejected with an explanation and not changed', async () => {
    const newer = Date.parse('2999-01-01');
    const forget = `DELETE FROM drizzle.__drizzle_migrations WHERE created_at = ${newer}`;
    database = await open();
    await database.exec(
      `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('of a newer version', ${newer})`,
    );
    if (kind === 'pglite') await database.close();
    await expect(open()).rejects.toThrow(NewerDatabase);
    await expect(open().catch((error: unknown) => startFailure(error))).resolves.toMatch(
      /a newer version of it has used this database\. Start that version again, or restore the backup/,
    );
    if (kind === 'postgres') {
      await database.exec(forget);
      await database.close();
      await (await open()).close();
    } else await rm(join(folder, 'data'), { recursive: true });
  });

  if (kind === 'postgres')
    test('servers that start together migrate one after another', async () => {
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
      await onServer(`CREATE DATABASE ${name}`);
      const several = await Promise.all([open(), open(), open(), open()]);
      await Promise.all(several.map((one) => one.close()));
    });

  if (kind === 'pglite')
    test('the folder is accessible only to its owner, and to one process', async () => {
      database = await open();
      expect((await stat(join(folder, 'data', 'db'))).mode & 0o777).toBe(0o700);
      await expect(open()).rejects.toThrow(FolderInUse);
      await database.close();
      await (await open()).close();
    });
});

if (kind === 'pglite')
  describe("the data folder's lock", () => {
    test('another process is rejected, and the error says who has the folder; after kill -9 the folder is free within seconds', async () => {
      const place = await mkdtemp(join(tmpdir(), 'lms-admin-lock-'));
      const script = join(place, 'hold.mjs');
      await build({
        stdin: {
          contents: `import { lockFolder } from './lock.ts'; await lockFolder(process.argv[2]); console.log('held'); setInterval(() => {}, 1000);`,
          resolveDir: new URL('../../src/platform', import.meta.url).pathname,
          loader: 'ts',
        },
        outfile: script,
        bundle: true,
        platform: 'node',
        format: 'esm',
        banner: {
          js: "import { createRequire as _r } from 'node:module'; const require = _r(import.meta.url);",
        },
      });
      const child = spawn(process.execPath, [script, place], { stdio: ['ignore', 'pipe', 'inherit'] });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      await expect(lockFolder(place)).rejects.toThrow(new RegExp(`process ${child.pid} .*LMS_ADMIN_DATA`));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      const started = Date.now();
      const release = await lockFolder(place);
      // Far less than the 30 seconds after which a lock without an owner’s note counts as stale.
      expect(Date.now() - started).toBeLessThan(20_000);
      await release();
      await rm(place, { recursive: true, force: true });
    });

    test('a lock whose owner note is unreadable expires after the usual time', async () => {
      const place = await mkdtemp(join(tmpdir(), 'lms-admin-lock-'));
      const release = await lockFolder(place);
      await writeFile(join(place, 'db.owner'), '{');
      await expect(lockFolder(place)).rejects.toThrow(/another process/);
      await release();
      await rm(place, { recursive: true, force: true });
    });
  });

if (kind === 'postgres')
  describe('a database that stops answering', () => {
    let own: Awaited<ReturnType<typeof freshDatabase>>;
    let proxy: Awaited<ReturnType<typeof mutingProxy>>;
    let database: Database;

    beforeAll(async () => {
      own = await freshDatabase();
      const url = new URL(own.url);
      proxy = await mutingProxy({ host: url.hostname, port: Number(url.port || 5432) });
      url.hostname = '127.0.0.1';
      url.port = String(proxy.port);
      database = await openDatabase({ databaseUrl: url.href, dataDir: null, poolSize: 2, silentMs: 500 });
    });
    afterAll(async () => {
      await proxy.close();
      await database.close();
      await own.drop();
    });

    const ask = () => database.db.execute(sql`select 1`);

    test('blocks no one: the waiting call gets an error, and the next one a new connection', async () => {
      await Promise.all([ask(), ask()]);
      proxy.mute();
      const answers = await Promise.allSettled([ask(), ask(), ask(), ask()]);
      expect(answers.map(({ status }) => status)).toContain('rejected');
      await expect(ask()).resolves.toBeDefined();
    });

    test('under repeated load, each call gets an answer or an error, and afterwards all calls get answers again', async () => {
      let answered = 0;
      let told = 0;
      for (let wave = 0; wave < 4; wave++) {
        const asked = Array.from({ length: 100 }, (_, at) =>
          at % 3 === 0
            ? database.db.transaction((tx) => tx.execute(sql`select pg_sleep(0.002)`))
            : database.db.execute(sql`select pg_sleep(0.002)`),
        );
        // The connection goes silent; calls that reconnect work until the next wave.
        await Promise.allSettled(asked.slice(0, 20));
        proxy.mute();
        for (const { status } of await Promise.allSettled(asked)) {
          if (status === 'fulfilled') answered++;
          else told++;
        }
      }
      expect(answered + told).toBe(400);
      expect(told).toBeGreaterThan(0);
      // No call keeps a connection forever.
      await expect(Promise.all(Array.from({ length: 50 }, ask))).resolves.toHaveLength(50);
    });

    test('even in the middle of a transaction, it blocks no one', async () => {
      const torn = database.db.transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        proxy.mute();
        await tx.execute(sql`select 2`);
      });
      await expect(torn).rejects.toThrow();
      await expect(ask()).resolves.toBeDefined();
    });
  });
