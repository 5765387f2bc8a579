/** Images over HTTP: uploaded, listed, delivered, recorded. */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer } from '../support/harness.ts';
import { startStore } from './store.ts';
import { bitmap, dataUrl, flatPng, ico, ownImages, picture, send, uploaded } from './support.ts';

const store = await startStore();
const inDatabase = await startTestServer();
const inBucket = await startTestServer({ env: { ...store.settings(), S3_TIMEOUT_MS: '60000' } });
afterAll(async () => {
  await inDatabase.close();
  await inBucket.close();
  await store.close();
});

describe.each([
  ['our own database', inDatabase],
  ['a bucket', inBucket],
])('IMG-12, IMG-13 upload to %s', (_, test) => {
  let alma: Browser;
  beforeAll(async () => {
    alma = await test.signIn(PEOPLE.all);
  });

  it('returns the link, under which everyone gets the image with its true type', async () => {
    const png = await picture('png');
    const answer = await uploaded(alma, 'Zoë’s Logo.PNG', png);
    expect(answer.fileName).toMatch(new RegExp(`^${test.url}/images/icons/zoe-s-logo-[0-9a-f]{24}\\.png$`));
    expect(answer.image).toMatchObject({
      name: 'Zoë’s Logo.PNG',
      type: 'image/png',
      bytes: png.length,
      width: 24,
      height: 24,
    });
    const response = await fetch(answer.fileName);
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('OP-94 accepts PNG, JPEG, GIF, WebP and ICO by content, whatever type they claim to be', async () => {
    for (const format of ['png', 'jpeg', 'gif', 'webp'] as const) {
      const bytes = await picture(format);
      const response = await alma.post(ENDPOINTS.imageUpload, {
        name: 'x.txt',
        file: dataUrl(bytes, 'text/html'),
      });
      expect((await response.json()).data.image.type).toBe(`image/${format}`);
    }
    const icon = ico([
      { side: 16, bytes: bitmap(16) },
      { side: 24, bytes: await picture('png') },
    ]);
    expect((await uploaded(alma, 'favicon.ico', icon)).image).toMatchObject({
      type: 'image/x-icon',
      width: 24,
      height: 24,
    });
  });

  it('supports ETag, 304 and HEAD; an unknown image is a short 404', async () => {
    const { fileName } = await uploaded(alma, 'tag.png', await picture('png', 7));
    const first = await fetch(fileName, { method: 'HEAD' });
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/png']);
    const again = await fetch(fileName, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    for (const path of [
      'icons/none-000000000000000000000000.png',
      'icons/../../etc/passwd',
      'x',
      '',
      'icons/%00',
    ]) {
      const response = await fetch(`${test.url}/images/${path}`);
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
    }
  });

  it('a gigapixel image of a few kilobytes is rejected', async () => {
    const response = await send(alma, 'giga.png', flatPng(40_000, 25_000, 1_000));
    const { error } = await response.json();
    expect([response.status, error.message]).toEqual([400, expect.stringContaining('25,000,000 pixels')]);
  });

  it('OP-106 the same image uploaded twice has one link and one entry in the list', async () => {
    const png = await picture('png', 3);
    const one = await uploaded(alma, 'twice.png', png);
    const other = await uploaded(alma, 'twice.png', png);
    expect(other.fileName).toBe(one.fileName);
    const { images, total } = await ownImages(alma, { search: 'TWICE' });
    expect([images.length, total]).toEqual([1, 1]);
  });

  it('OP-106 an image uploaded under several names that give the same link is found by each of them', async () => {
    const png = await picture('png', 11);
    const names = ['😀.png', '校舎.png', '講堂.png'];
    const links = new Set<string>();
    for (const name of names) links.add((await uploaded(alma, name, png)).fileName);
    // Simultaneous uploads also give one link.
    const pair = ['Sign.png', 'Sign!.png'];
    const both = await Promise.all(pair.map((name) => uploaded(alma, name, png)));
    expect([links.size, new Set(both.map(({ fileName }) => fileName)).size]).toEqual([1, 1]);
    for (const name of [...names, ...pair]) {
      const { images } = await ownImages(alma, { search: name });
      expect(images.map((one) => [one.name, links.has(one.link) || pair.includes(name)])).toEqual([
        [name, true],
      ]);
    }
    await uploaded(alma, '校舎.png', png);
    const { images, total } = await ownImages(alma);
    expect(images[0]?.name).toBe('校舎.png');
    expect(images.filter(({ link }) => links.has(link))).toHaveLength(3);
    expect(images).toHaveLength(Math.min(total, 50));
  });

  it('the uploads of one action are one job', async () => {
    const upload = randomUUID();
    await Promise.all(
      [1, 2, 3].map(async (seed) =>
        uploaded(alma, `press-${seed}.png`, await picture('png', 20 + seed), upload),
      ),
    );
    await send(alma, 'press-4.png', Buffer.from('nothing'), upload);
    const { data } = await (await alma.fetch(`${ENDPOINTS.jobs}?kind=image-upload`)).json();
    const [job] = data.filter((one: { label: string }) => one.label === 'Upload 4 images');
    expect(job).toMatchObject({
      state: 'done',
      outcome: 'partly',
      progress: { done: 4, total: 4, unit: 'images' },
      cancel: 'no',
    });
    // The person has seen the result in the answers, so the job is not marked as unseen.
    const summary = await (await alma.fetch(ENDPOINTS.jobSummary)).json();
    expect(summary.data.unseen).toBe(0);
  });

  it('IMG-03 fifty uploads at once, each sent twice, lead to fifty images and fifty items', async () => {
    const upload = randomUUID();
    const files = await Promise.all(Array.from({ length: 50 }, (__, at) => picture('png', 100 + at)));
    const links = await Promise.all(
      [...files, ...files].map(
        async (bytes, at) => (await uploaded(alma, `fifty-${at % 50}.png`, bytes, upload)).fileName,
      ),
    );
    expect(new Set(links).size).toBe(50);
    expect((await ownImages(alma, { search: 'fifty' })).total).toBe(50);
    const { data } = await (await alma.fetch(`${ENDPOINTS.jobs}?kind=image-upload&text=50`)).json();
    expect(data[0]).toMatchObject({
      label: 'Upload 50 images',
      outcome: 'done',
      progress: { done: 50, total: 50 },
      figures: [['images uploaded', 50]],
    });
    const items = await (await alma.fetch(ENDPOINTS.jobItems.replace(':job', data[0].id))).json();
    expect(items.data.map(({ message }: { message: string }) => message).sort()).toEqual(
      [...new Set(links)].sort(),
    );
  });

  it("a person's own images are listed page by page, latest first, and found by every word, ignoring case and accents", async () => {
    const { images, total, next } = await ownImages(alma);
    expect([images.length, total > 50]).toEqual([50, true]);
    const rest = await ownImages(alma, { after: next ?? '' });
    const all = [...images, ...rest.images];
    expect([all.length, rest.next]).toEqual([total, null]);
    expect(new Set(all.map(({ link, name }) => `${link} ${name}`)).size).toBe(total);
    const times = all.map(({ uploaded_at }) => uploaded_at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect((await ownImages(alma, { search: 'zoe LOGO' })).images.map(({ name }) => name)).toEqual([
      'Zoë’s Logo.PNG',
    ]);
    for (const search of ['%', '_', '\\', 'logo nothing'])
      expect((await ownImages(alma, { search })).total).toBe(0);
    expect((await ownImages(alma, { search: '  ' })).total).toBe(total);
    for (const after of ['x', '2026-01-01T00:00:00.000Z_icons/../x', '9_9', '\u0000']) {
      expect((await alma.fetch(`${ENDPOINTS.images}?${new URLSearchParams({ after })}`)).status).toBe(400);
    }
    expect(
      (await alma.fetch(`${ENDPOINTS.images}?${new URLSearchParams({ search: 'a\u0000b' })}`)).status,
    ).toBe(200);
  });
});
