/**
 * When backup and restore refuse to run, each time with an explanation; the key in a backup; the practice LMS
 * in a backup.
 */
import { createWriteStream, existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { freePort } from '../../../../scripts/free-port.mjs';
import { Campus } from '../enrollments/campus.ts';
import { type Deployment, openDeployment } from '../kill/deployment.ts';
import { bundleServer, makePlace, Process } from '../kill/process.ts';
import { lmsAdmin, lmsAdminUntil } from './command.ts';

/** Several programs are started in turn, and each loads a database. */
const PATIENT = { timeout: 400_000 };

type Place = Awaited<ReturnType<typeof makePlace>>;
const PASSPHRASE = 'an ordinary passphrase of words';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lms-admin-backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('while a server is running', () => {
  let deployment: Deployment;
  let file: string;
  beforeAll(async () => {
    deployment = await openDeployment();
    file = join(folder, 'beside.zip');
    const { said } = await lmsAdmin(
      { ...deployment.env, LMS_ADMIN_PASSPHRASE: PASSPHRASE },
      'backup',
      file,
      '--with-key',
    );
    expect(said).toContain('the key, encrypted with your passphrase');
  });
  afterAll(() => deployment?.close());

  test('a backup does not overwrite an existing file, and only its owner can read it', async () => {
    const before = await readFile(file);
    const { code, said } = await lmsAdmin(deployment.env, 'backup', file);
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/already exists\. No backup was made\. Remove it/),
    ]);
    expect((await readFile(file)).equals(before)).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('a restore changes neither the database of a running server nor one that is not empty', async () => {
    const running = await lmsAdmin(deployment.env, 'restore', file);
    expect(running.code).toBe(1);
    expect(running.said).toMatch(/is in use by process \d+|A server is running on the database/);
    await deployment.servers[0]?.stop();
    const full = await lmsAdmin(deployment.env, 'restore', file);
    expect([full.code, full.said]).toEqual([
      1,
      expect.stringMatching(/The database is not empty, and nothing was changed.*Set LMS_ADMIN_DATA/),
    ]);
    await deployment.servers[0]?.start();
  });

  test(
    'a truncated file, an unrelated file and a backup from elsewhere each get their own message',
    PATIENT,
    async () => {
      const place = await makePlace({ made: false });
      const env = { ...deployment.env, ...place.env };
      try {
        const cut = join(folder, 'cut.zip');
        await copyFile(file, cut);
        await truncate(cut, (await stat(cut)).size - 100);
        const other = join(folder, 'other.zip');
        await writeFile(other, 'no zip');
        const older = join(folder, 'older.zip');
        const zip = new yazl.ZipFile();
        zip.addBuffer(
          Buffer.from(JSON.stringify({ format: 1, version: '0.9.0', schema: 1 })),
          'manifest.json',
        );
        zip.end();
        await pipeline(zip.outputStream, createWriteStream(older));
        for (const [path, words] of [
          [cut, /not a complete backup.*Use another backup/],
          [other, /not a complete backup/],
          [join(folder, 'none.zip'), /Nothing was restored: .*none\.zip/],
          [older, /made by LMS Admin 0\.9\.0.*Restore it with version 0\.9\.0/],
        ] as const) {
          const { code, said } = await lmsAdmin(env, 'restore', path);
          expect([path, code, said]).toEqual([path, 1, expect.stringMatching(words)]);
        }
        const practice = { ...place.env, LMS_ADMIN_KEY: deployment.env.LMS_ADMIN_KEY ?? '' };
        const { said } = await lmsAdmin(practice, 'restore', file);
        expect(said).toMatch(/The backup is of the LMS on .*Set LMS_URL to/);
      } finally {
        await place.remove();
      }
    },
  );

  test('the key is restored with the passphrase, and is never printed', async () => {
    const place = await makePlace({ made: false });
    const keyFile = join(place.folder, 'key');
    // The key is only in the backup: not in the settings, and not yet in the file that they name.
    const { LMS_ADMIN_KEY: _, ...others } = { ...deployment.env, ...place.env };
    const env = { ...others, LMS_ADMIN_KEY_FILE: keyFile };
    const restore = (passphrase: string) =>
      lmsAdmin({ ...env, LMS_ADMIN_PASSPHRASE: passphrase }, 'restore', file, '--key-file', keyFile);
    try {
      const wrong = await restore('quite another passphrase');
      expect([wrong.code, wrong.said]).toEqual([1, expect.stringMatching(/does not open the key/)]);
      const { code, said } = await restore(PASSPHRASE);
      expect([code, said]).toEqual([0, expect.stringContaining(`The key is in ${keyFile}`)]);
      expect(await readFile(keyFile, 'utf8')).toBe(deployment.env.LMS_ADMIN_KEY);
      expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
      expect(said).not.toContain(deployment.env.LMS_ADMIN_KEY);
      expect(said).not.toContain('is not the key of the backup');
    } finally {
      await place.remove();
    }
  });

  test('a restore that is killed midway leaves nothing behind, and can be repeated', PATIENT, async () => {
    const place = await makePlace({ made: false });
    const env = { ...deployment.env, ...place.env, LMS_ADMIN_PASSPHRASE: PASSPHRASE };
    const keyFile = join(folder, 'killed.key');
    const restore = ['restore', file, '--key-file', keyFile];
    try {
      // The key is written just before the rows.
      expect(await lmsAdminUntil(env, restore, () => existsSync(keyFile))).toBe('SIGKILL');
      const { code, said } = await lmsAdmin(env, ...restore);
      expect([code, said]).toEqual([0, expect.stringContaining('Restored the backup')]);
    } finally {
      await place.remove();
    }
  });
});

describe('practice mode', () => {
  const places: Place[] = [];
  afterAll(async () => {
    for (const one of places) await one.remove();
  });
  async function newPlace(made: boolean): Promise<Place> {
    const place = await makePlace({ made });
    places.push(place);
    return place;
  }
  const campusOf = (place: Place, port: number) =>
    startSandbox({
      port,
      mode: 'test',
      importPace: 'instant',
      throttle: false,
      data: join(place.folder, 'campus'),
    });

  test(
    'the sandbox is restored with all changes, and on request with the practice mode key',
    PATIENT,
    async () => {
      const [from, to, port, sandboxPort] = [
        await newPlace(true),
        await newPlace(false),
        await freePort(),
        await freePort(),
      ];
      const settings = {
        PORT: String(port),
        SANDBOX_PORT: String(sandboxPort),
        LMS_ADMIN_PASSPHRASE: PASSPHRASE,
      };
      const file = join(folder, 'practice.zip');
      let sandbox = await campusOf(from, sandboxPort);
      const server = new Process(await bundleServer(), { ...settings, ...from.env });
      await server.start();
      try {
        await new Campus(sandbox).importOfOthers(
          'user_id,login_id,first_name,last_name,email,status\n990001,kept.person@northbridge.example,Kept,Person,kept.person@northbridge.example,active',
        );
        // Changes reach the sandbox's file within moments.
        await expect
          .poll(() => readFile(join(from.folder, 'campus', 'default', 'campus.jsonl'), 'utf8'))
          .toContain('kept.person');
        const { code, said } = await lmsAdmin({ ...settings, ...from.env }, 'backup', file, '--with-key');
        expect([code, said]).toEqual([0, expect.stringMatching(/files? of the practice LMS/)]);
      } finally {
        await server.kill();
        await sandbox.close();
      }
      const { code, said } = await lmsAdmin({ ...settings, ...to.env }, 'restore', file, '--with-key');
      expect([code, said]).toEqual([0, expect.stringContaining('The backup contains no unfinished work.')]);
      const keys = await Promise.all([from, to].map((place) => readFile(join(place.folder, 'key'), 'utf8')));
      expect(keys[0]).toBe(keys[1]);
      sandbox = await campusOf(to, sandboxPort);
      try {
        const found = await fetch(`${sandbox.url}/api/v1/accounts/1/users?search_term=kept.person`, {
          headers: { authorization: 'Bearer sandbox-admin-token' },
        });
        expect(await found.json()).toMatchObject([{ login_id: 'kept.person@northbridge.example' }]);
      } finally {
        await sandbox.close();
      }
    },
  );
});
