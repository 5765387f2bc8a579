/**
 * Moving images from the database to a bucket, to another bucket, and back. Their links keep working
 * (OP-106).
 */
import { IMAGE_KEY } from '@lms-admin/domain/image-files';
import { afterAll, expect, it } from 'vitest';
import { createObjects, type Objects } from '../../src/files/homes.ts';
import { type Moved, moveImages } from '../../src/images/move.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { images as table } from '../../src/platform/schema.ts';
import { PEOPLE, startTestServer } from '../support/harness.ts';
import { BUCKET, OTHER_BUCKET, startStore } from './store.ts';
import { ownImages, picture, uploaded } from './support.ts';

const store = await startStore();
const test = await startTestServer({ env: store.settings(BUCKET, 'S3_OLD_') });
const alma = await test.signIn(PEOPLE.all);
const { db } = test.server.services.db;
afterAll(async () => {
  await test.close();
  await store.close();
});

/** Runs the command with other settings while the server is running. */
async function withSettings<T>(
  env: Record<string, string>,
  work: (objects: Objects) => Promise<T>,
): Promise<T> {
  const objects = createObjects(db, loadConfig({ S3_TIMEOUT_MS: '20000', ...env }).images);
  try {
    return await work(objects);
  } finally {
    await objects.close();
  }
}
const move = (env: Record<string, string>): Promise<Moved> =>
  withSettings(env, (objects) => moveImages(db, objects));
const NONE = { kept: 0, missing: [], unknown: new Map() };
const homes = async () => [
  ...new Set((await db.select({ home: table.home }).from(table)).map(({ home }) => home)),
];
const icons = async (bucket: string) => (await store.keys(bucket)).filter((key) => IMAGE_KEY.test(key));

it('from the database to a bucket, to another bucket and back, each step taken twice, links and contents stay the same', async () => {
  const links = new Map<string, Buffer>();
  for (let seed = 1; seed <= 5; seed++) {
    const bytes = await picture('png', seed);
    links.set((await uploaded(alma, `move-${seed}.png`, bytes)).fileName, bytes);
  }
  const listed = await ownImages(alma);
  const allThere = async (env: Record<string, string>) => {
    expect(await ownImages(alma)).toEqual(listed);
    await withSettings(env, async (objects) => {
      for (const [link, bytes] of links) {
        const key = link.slice(link.indexOf('icons/'));
        const [row] = await homes();
        expect((await objects.at(row ?? '')?.get(key))?.equals(bytes)).toBe(true);
      }
    });
  };

  const first = store.settings(BUCKET);
  expect(await move(first)).toEqual({ ...NONE, moved: 5, there: 0 });
  expect(await move(first)).toEqual({ ...NONE, moved: 0, there: 5 });
  await allThere(first);
  expect(await icons(BUCKET)).toHaveLength(5);
  expect(await db.$count(table)).toBe(5);
  // The running server delivers them from their current store.
  for (const [link, bytes] of links) {
    expect(Buffer.from(await (await fetch(link)).arrayBuffer()).equals(bytes)).toBe(true);
  }

  const second = { ...store.settings(OTHER_BUCKET), ...store.settings(BUCKET, 'S3_OLD_') };
  expect(await move(second)).toEqual({ ...NONE, moved: 5, there: 0 });
  expect(await move(second)).toEqual({ ...NONE, moved: 0, there: 5 });
  await allThere(second);
  expect([await icons(BUCKET), (await icons(OTHER_BUCKET)).length]).toEqual([[], 5]);

  // Without the settings of the current store nothing is lost, and the message says so.
  expect((await move({})).unknown.size).toBe(1);
  const back = store.settings(OTHER_BUCKET, 'S3_OLD_');
  expect(await move(back)).toEqual({ ...NONE, moved: 5, there: 0 });
  expect(await move(back)).toEqual({ ...NONE, moved: 0, there: 5 });
  await allThere(back);
  expect(await icons(OTHER_BUCKET)).toEqual([]);
  expect(await homes()).toEqual(['database']);
});

it('if a move is interrupted halfway, nothing is lost, and the next run completes the move', async () => {
  let puts = 0;
  store.front.instead = ({ method }) => (method === 'PUT' && ++puts > 2 ? { status: 500 } : null);
  await expect(move(store.settings(BUCKET))).rejects.toMatchObject({ kind: 'down' });
  // Recorded, but not removed from the old store.
  store.front.instead = null;
  const listed = await ownImages(alma);
  for (const { link } of listed.images) expect((await fetch(link)).status).toBe(200);
  const { moved, there } = await move(store.settings(BUCKET));
  expect(moved + there).toBe(5);
  store.front.instead = ({ method }) => (method === 'DELETE' ? { status: 500 } : null);
  const second = { ...store.settings(OTHER_BUCKET), ...store.settings(BUCKET, 'S3_OLD_') };
  await expect(move(second)).rejects.toMatchObject({ kind: 'down' });
  store.front.instead = null;
  const last = await move(second);
  expect(last.moved + last.there).toBe(5);
  expect(await icons(BUCKET)).toEqual([]);
});

it('one bucket under two names is not emptied', async () => {
  const names = {
    ...store.settings(OTHER_BUCKET),
    S3_ENDPOINT: store.url,
    ...store.settings(OTHER_BUCKET, 'S3_OLD_'),
  };
  expect(await move(names)).toEqual({ ...NONE, moved: 5, there: 0 });
  expect(await icons(OTHER_BUCKET)).toHaveLength(5);
});

it('a copy stays at the address to which the links point', async () => {
  await db.update(table).set({ link: 'https://images.example.edu/x' });
  const back = { ...store.settings(OTHER_BUCKET, 'S3_OLD_'), S3_OLD_ENDPOINT: store.url };
  expect(await move(back)).toMatchObject({ moved: 5, kept: 5 });
  expect(await move(back)).toMatchObject({ moved: 0, there: 5 });
  expect(await icons(OTHER_BUCKET)).toHaveLength(5);
});
