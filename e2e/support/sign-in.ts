/** Sign-in through the real pages, and the resulting sessions. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { Campus } from './processes.ts';

export type Login =
  | 'alma.reyes'
  | 'bruno.keller'
  | 'carla.singh'
  | 'dev.oduya'
  | 'elena.marsh'
  | 'farid.noor'
  | 'greta.lind'
  | 'hugo.tan';

/** Signs in on the sandbox's pages, from the console's welcome screen, and waits until the console is back. */
export async function signInAtLms(page: Page, campus: Campus, login: Login, path = '/'): Promise<void> {
  await page.goto(new URL(path, campus.url).href);
  await page
    .getByRole('link', { name: /sign in/i })
    .or(page.getByRole('button', { name: /sign in/i }))
    .click();
  await page.waitForURL((url) => url.origin === campus.lms);
  await page.getByRole('button', { name: new RegExp(login.replace('.', '[ .]'), 'i') }).click();
  const allow = page.getByRole('button', { name: /allow|authori[sz]e/i });
  // Does not wait for the banner, because the page that is being left also has one.
  await allow.or(page.locator('#content h1')).first().waitFor();
  if (await allow.isVisible()) await allow.click();
  await page.waitForURL((url) => url.origin === campus.url && !url.searchParams.has('code'));
  await screenIsThere(page);
}

/** Waits until a screen of the console shows its heading; its script is then loaded. */
export const screenIsThere = (page: Page): Promise<void> => page.locator('#content h1').waitFor();

/** Signs in like the pages, but without rendering them: a session for tests about something else. */
async function signInUnseen({ request }: BrowserContext, campus: Campus, login: Login): Promise<void> {
  let answer = await request.get(campus.url + ENDPOINTS.login);
  // Selecting the person and, the first time, answering whether LMS Admin may act for them.
  for (let page = 0; page < 3; page++) {
    const at = new URL(answer.url());
    const asked = at.searchParams.get('request') ?? '';
    if (at.origin !== campus.lms) break;
    const [path, form] = at.pathname.endsWith('/confirm')
      ? ['accept', { request: asked, decision: 'accept' }]
      : ['login', { request: asked, login: `${login}@northbridge.example` }];
    answer = await request.post(`${campus.lms}/login/oauth2/${path}`, {
      form,
      headers: { origin: at.origin },
    });
  }
  const { searchParams } = new URL(answer.url());
  const exchanged = await request.post(campus.url + ENDPOINTS.token, {
    headers: { origin: campus.url },
    data: {
      grant_type: 'authorization_code',
      code: searchParams.get('code'),
      state: searchParams.get('state'),
    },
  });
  if (!exchanged.ok())
    throw new Error(`sign-in of ${login}: ${exchanged.status()} ${await exchanged.text()}`);
}

/** Half an hour; a session lasts an hour. */
const KEPT_MS = 1_800_000;

/**
 * Sessions in one practice LMS, each signed in once and then given to every browser context that needs that
 * person.
 */
export class KeptSessions {
  readonly #browser: Browser;
  readonly #campus: Campus;
  readonly #kept = new Map<
    Login,
    { since: number; cookies: Awaited<ReturnType<BrowserContext['cookies']>> }
  >();

  constructor(browser: Browser, campus: Campus) {
    this.#browser = browser;
    this.#campus = campus;
  }

  /** Puts the person's session into the context. */
  async give(context: BrowserContext, login: Login): Promise<void> {
    let session = this.#kept.get(login);
    if (!session || Date.now() - session.since > KEPT_MS) {
      const own = await this.#browser.newContext();
      try {
        await signInUnseen(own, this.#campus, login);
        session = { since: Date.now(), cookies: await own.cookies() };
      } finally {
        await own.close();
      }
      this.#kept.set(login, session);
    }
    await context.addCookies(session.cookies);
  }
}
