/**
 * The sample configurations in docs/operating/proxies.md with a real browser: sign-in, a large file, and the
 * requests they block.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { COOKIES } from '@lms-admin/contract/session';
import { systemOverview } from '@lms-admin/contract/system';
import { freePort } from '../scripts/free-port.mjs';
import { expect, test } from './support/fixtures.ts';
import { startCampus } from './support/processes.ts';
import { freePorts, installed, PROXIES, sampleOf, startProxy } from './support/proxies.ts';
import { signInAtLms } from './support/sign-in.ts';
import { csv, newPeople, PATH, toReview } from './support/sis-import.ts';

/** Headers that a browser can send, but that no server may trust. */
const INVENTED = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1', 'x-forwarded-proto': 'http' };

for (const [name, kind] of Object.entries(PROXIES)) {
  test(`${name}: the sample overwrites the browser's own headers, and blocks the metrics`, async () => {
    const sample = await sampleOf(kind);
    expect(sample).toContain('127.0.0.1:8080');
    expect(sample).toContain('/metrics');
    expect(sample).toMatch(/110m|110MB|115343360/);
  });

  // The programs come from Debian; if one is missing, its sample is only read.
  if (installed(kind.program) === null) continue;

  test(`${name}: sign-in and a file of 3 MB work, the person's address arrives, and the metrics are blocked`, async ({
    browser,
  }) => {
    const server = await freePort();
    const ports = await freePorts(server);
    const origin = `https://localhost:${ports.https}`;
    const campus = await startCampus({ PORT: String(server), LMS_ADMIN_URL: origin });
    const proxy = await startProxy(kind, ports);
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    try {
      const plain = await context.request.get(`http://localhost:${ports.http}/`, { maxRedirects: 0 });
      expect(plain.headers().location).toMatch(/^https:\/\/localhost\b/);
      const page = await context.newPage();
      await signInAtLms(page, { ...campus, url: origin }, 'alma.reyes', PATH);
      const session = (await context.cookies(origin)).find(({ name: one }) => one.endsWith(COOKIES.session));
      expect(session?.secure).toBe(true);
      await toReview(page, csv('people.csv', newPeople('PROXY', 40_000)));

      const overview = await context.request.get(`${origin}${ENDPOINTS.system}`, { headers: INVENTED });
      const { seen } = systemOverview.parse((await overview.json()).data);
      expect(seen).toMatchObject({ protocol: 'https', host: expect.stringMatching(/^localhost\b/), origin });
      expect(seen.address).toMatch(/^(127\.0\.0\.1|::1)$/);
      expect((await context.request.get(`${origin}${ENDPOINTS.metrics}`)).status()).toBeGreaterThan(400);
      const ready = await context.request.get(`${origin}${ENDPOINTS.ready}`);
      expect(await ready.json()).toMatchObject({ status: 'ready', problems: [] });
    } finally {
      await context.close();
      await proxy.close();
      await campus.close();
    }
  });
}
