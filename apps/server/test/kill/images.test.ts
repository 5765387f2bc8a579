/**
 * Images when the server is killed during uploads, or the command while moving them. No link is broken,
 * nothing is lost, and the next attempt completes the work without doing anything twice (ERR-03, OP-106).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { IMAGE_KEY } from '@lms-admin/domain/image-files';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BUCKET, OTHER_BUCKET, type Store, startStore } from '../images/store.ts';
import { ownImages, picture, uploaded } from '../images/support.ts';
import { chosenDatabase } from '../support/databases.ts';
import { type Deployment, openDeployment } from './deployment.ts';
import { bundleServer } from './process.ts';

const FILES = 12;
/** The folder to which paths in the settings are relative. */
const ROOT = resolve(import.meta.dirname, '../../../..');

let store: Store;
let files: Buffer[];
beforeAll(async () => {
  store = await startStore();
  files = await Promise.all(Array.from({ length: FILES }, (_, at) => picture('png', at + 1)));
});
afterAll(() => store?.close());
afterEach(() => {
  store.front.instead = store.front.changed = null;
});

const nameOf = (at: number) => `Zoë O’Neill–Łukasz ${at}.png`;
const icons = async (bucket: string) => (await store.keys(bucket)).filter((key) => IMAGE_KEY.test(key));
/** Returns whether a request to the store concerns an image, as opposed to checking the store. */
const isIcon = (path: string) => IMAGE_KEY.test(path.split('?')[0]?.split('/').slice(2).join('/') ?? '');

/** Checks that every listed image is there as uploaded. @returns the number of images */
async function allThere({ alma }: Deployment): Promise<number> {
  const { images } = await ownImages(alma);
  for (const { name, link } of images) {
    const at = files.findIndex((_, index) => nameOf(index) === name);
    const response = await fetch(link);
    expect([name, response.status]).toEqual([name, 200]);
    expect(Buffer.from(await response.arrayBuffer()).equals(files[at] ?? Buffer.alloc(0))).toBe(true);
  }
  return images.length;
}

describe.each(['a bucket', 'our own database'])('uploads to %s', (home) => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await openDeployment(1, home === 'a bucket' ? store.settings() : {});
  });
  afterAll(() => deployment?.close());

  test('ERR-03 IMG-14 if the server is killed during an upload that is then repeated, each image is stored once, in one job', async () => {
    const upload = randomUUID();
    const send = (at: number) => uploaded(deployment.alma, nameOf(at), files[at] ?? Buffer.alloc(0), upload);
    let answered = 0;
    const kills: Promise<void>[] = [];
    await Promise.allSettled(
      files.map(async (_, at) => {
        await send(at);
        if (++answered === 3) kills.push(...deployment.servers.map((one) => one.kill()));
      }),
    );
    await Promise.all(kills);
    await deployment.servers[0]?.start();
    // Images whose upload was answered are kept. Others may have been recorded anyway.
    expect(await allThere(deployment)).toBeGreaterThanOrEqual(3);
    for (const at of files.keys()) await send(at);
    expect(await allThere(deployment)).toBe(FILES);
    const jobs = await (await deployment.alma.fetch(`${ENDPOINTS.jobs}?kind=image-upload`)).json();
    expect(jobs.data).toMatchObject([
      { label: `Upload ${FILES} images`, outcome: 'done', progress: { done: FILES, total: FILES } },
    ]);
    if (home === 'a bucket') expect(await icons(BUCKET)).toHaveLength(FILES);
  });

  if (home !== 'a bucket') return;
  test.each([
    ['before the store has it', 'instead', 0],
    ['once the store has it, and before its record', 'changed', 1],
  ] as const)(
    'ERR-03 killed %s: no link exists, and the next attempt stores the image once',
    async (when, hook, stored) => {
      const before = (await icons(BUCKET)).length;
      const bytes = await picture('png', 50 + stored);
      const kills: Promise<void>[] = [];
      store.front[hook] = ({ method, path }: { method: string; path: string }) => {
        if (method !== 'PUT' || !isIcon(path)) return null;
        kills.push(...deployment.servers.map((one) => one.kill()));
        return { status: 500 };
      };
      await expect(uploaded(deployment.alma, `${when}.png`, bytes)).rejects.toThrow();
      await Promise.all(kills);
      store.front[hook] = null;
      await deployment.servers[0]?.start();
      expect((await icons(BUCKET)).length).toBe(before + stored);
      expect((await ownImages(deployment.alma, { search: when })).total).toBe(0);
      const { fileName } = await uploaded(deployment.alma, `${when}.png`, bytes);
      expect(Buffer.from(await (await fetch(fileName)).arrayBuffer()).equals(bytes)).toBe(true);
      expect((await icons(BUCKET)).length).toBe(before + 1);
      expect((await ownImages(deployment.alma, { search: when })).total).toBe(1);
    },
  );
});

describe('the command that moves images', () => {
  let deployment: Deployment;
  let command: string;
  beforeAll(async () => {
    // The server can read every store. Where new images are stored does not matter to this test.
    const settings = { ...store.settings(BUCKET), ...store.settings(OTHER_BUCKET, 'S3_OLD_') };
    [deployment, command] = await Promise.all([
      openDeployment(1, settings),
      bundleServer('apps/server/src/lms-admin.ts'),
    ]);
    for (const key of await icons(BUCKET)) await store.remove(key);
    for (const [at, bytes] of files.entries()) await uploaded(deployment.alma, nameOf(at), bytes);
  });
  afterAll(() => deployment?.close());

  /** Runs the command to its end, or kills it after a request that the store has completed. */
  async function move(settings: Record<string, string>, until?: { method: string; times: number }) {
    const own = Object.entries(deployment.env).filter(([name]) => !name.startsWith('S3_'));
    const child: ChildProcess = spawn(process.execPath, [command, 'move-images'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', ...Object.fromEntries(own), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [said, seen] = ['', 0];
    child.stdout?.on('data', (chunk: Buffer) => (said += String(chunk)));
    child.stderr?.on('data', (chunk: Buffer) => (said += String(chunk)));
    store.front.changed = ({ method, path }) => {
      if (method === until?.method && isIcon(path) && ++seen === until.times) child.kill('SIGKILL');
      return null;
    };
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    store.front.changed = null;
    return { code, signal, said: said.replace(/\(node:[^]*?created\)\n/g, '') };
  }

  /** Returns the output of a server with these settings until it is ready. */
  async function startedWith(settings: Record<string, string>): Promise<string> {
    const own = Object.entries(deployment.env).filter(([name]) => !name.startsWith('S3_'));
    const child = spawn(process.execPath, [deployment.main], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', PORT: '0', ...Object.fromEntries(own), ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.includes('ready on')) break;
    }
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return said;
  }

  /**
   * Does work that needs the embedded database to itself. With PostgreSQL, it runs while the server is
   * running.
   */
  async function besideServer<T>(work: () => Promise<T>): Promise<T> {
    const [server] = deployment.servers;
    if (chosenDatabase() === 'pglite') await server?.stop();
    const done = await work();
    // Also clears the image cache, so that images are delivered from their current store.
    await server?.kill();
    await server?.start();
    return done;
  }

  const there = `to s3:.*\\. ${FILES} images were already there`;

  test.each([
    ['to another bucket, killed when an image is stored', 'PUT', OTHER_BUCKET, BUCKET],
    ['back, killed when an image is read', 'GET', BUCKET, OTHER_BUCKET],
    ['to another bucket, killed when an image is removed', 'DELETE', OTHER_BUCKET, BUCKET],
  ])('OP-106 %s: all links still work, and a second run completes the move', async (_, method, to, from) => {
    const settings = { ...store.settings(to), ...store.settings(from, 'S3_OLD_') };
    const killed = await besideServer(() => move(settings, { method, times: 6 }));
    expect(killed).toMatchObject({ code: null, signal: 'SIGKILL', said: '' });
    expect(await allThere(deployment)).toBe(FILES);
    const [first, second] = await besideServer(async () => [await move(settings), await move(settings)]);
    expect(first).toMatchObject({ code: 0, said: expect.stringMatching(/^Moved \d+ images? to s3:/) });
    expect(second).toMatchObject({
      code: 0,
      said: expect.stringMatching(new RegExp(`^Moved 0 images ${there}`)),
    });
    expect(await allThere(deployment)).toBe(FILES);
    expect([(await icons(to)).length, await icons(from)]).toEqual([FILES, []]);
  });

  test('a server that does not know where images are stored says so when it starts', async () => {
    const [without, known] = await besideServer(async () => [
      await startedWith({}),
      await startedWith(store.settings(OTHER_BUCKET)),
    ]);
    expect(without).toMatch(/12 images are in s3:.*, which the settings do not name\. Set S3_OLD_… for it/);
    expect(known).not.toContain('which the settings do not name');
  });

  test('OP-106 images can be moved into the database; a missing store, and images in a store without settings, are reported with an explanation', async () => {
    const settings = store.settings(OTHER_BUCKET, 'S3_OLD_');
    const [gone, unknown, done] = await besideServer(async () => {
      store.front.instead = () => ({ status: 503 });
      const refused = await move(settings);
      store.front.instead = null;
      return [refused, await move({}), await move(settings)];
    });
    expect([gone.code, gone.said]).toEqual([
      1,
      'The image store does not answer. Try again in a few minutes. The images moved so far stay moved. Run the command again to continue.\n',
    ]);
    expect([unknown.code, unknown.said]).toEqual([1, expect.stringContaining('Set S3_OLD_… for it')]);
    expect([done.code, done.said]).toEqual([
      0,
      expect.stringMatching(/^Moved 12 images to database\. 0 images/),
    ]);
    expect(await allThere(deployment)).toBe(FILES);
    expect(await icons(OTHER_BUCKET)).toEqual([]);
  });
});
