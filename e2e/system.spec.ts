/** The system page by hand: contents, states, releasing held work, the support text. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const line = (page: Page, words: RegExp) => page.getByRole('listitem').filter({ hasText: words });

test('the state of the installation is shown in every scheme and width without accessibility violations', async ({
  page,
  signIn,
  axe,
}) => {
  test.slow();
  await signIn('alma.reyes');
  await page.getByRole('button', { name: 'All tools' }).click();
  await page.getByRole('dialog', { name: 'All tools' }).getByRole('link', { name: 'System' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('System');
  // The number of running jobs may come first.
  await expect(page).toHaveTitle(/System · LMS Admin$/);

  await expect(line(page, /Works.*node: Node v/)).toHaveCount(1);
  await expect(line(page, /Works.*database: .*answers and has the tables of this version/)).toHaveCount(1);
  await expect(line(page, /Works.*The LMS accepts the developer key/)).toHaveCount(1);
  await expect(line(page, /Works.*service token: It can read what LMS Admin needs/)).toHaveCount(1);
  await expect(line(page, /Works.*Zoom: Zoom answers/)).toHaveCount(1);
  await expect(line(page, /public address: LMS Admin answers at .* and is ready/)).toHaveCount(1);
  await expect(line(page, /This page was opened at localhost:\d+, the address in the settings/)).toHaveCount(
    1,
  );
  await expect(line(page, /clock: Database/)).toHaveCount(1);
  await expect(part(page, 'Work')).toContainText(/All \d+ migrations of this version have been applied/);
  await expect(part(page, 'Work')).toContainText('No work is waiting for a sign-in.');
  await expect(part(page, 'Outside systems').getByRole('row', { name: /^LMS/ })).toHaveCount(1);
  await expect(part(page, 'Directory')).toContainText('The directory is switched off.');
  await expect(part(page, 'Sizes')).toContainText(/Database\s*[\d.]+ MB/);
  await expect(part(page, 'When data is deleted')).toContainText('until 30 days after it ends');
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });
});

test('the support text is created and copied with the keyboard, and names no one', async ({
  page,
  context,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn('alma.reyes', '/system');
  const make = page.getByRole('button', { name: 'Create support text' });
  await make.focus();
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: 'Support text' });
  await expect(field).toHaveValue(/Checks\n.*ok {4}proxy|Checks\n.*proxy: /s);
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Copy support text' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The support text was copied.')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await field.inputValue());
  expect(copied).toContain('Browser: address and https as in the settings');
  expect(copied).not.toMatch(/@|alma|reyes|northbridge|sandbox-/i);
});

test('a part that is slow or fails does not delay the others, and can be loaded again', async ({
  page,
  signIn,
  axe,
}) => {
  let answer: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(`**${ENDPOINTS.systemCheck.replace(':check', 'lms')}`, async (route) => {
    await held;
    await route.continue();
  });
  let broken = true;
  await page.route(`**${ENDPOINTS.systemStorage}`, (route) =>
    broken
      ? route.fulfill({
          status: 500,
          json: {
            status: 500,
            error: { code: 'internal', message: 'It broke.', next: 'Try again.', requestId: 'r-1' },
          },
        })
      : route.continue(),
  );
  await signIn('alma.reyes', '/system');
  await expect(page.getByRole('status', { name: /^Loading: LMS, developer key/ })).toBeVisible();
  await expect(line(page, /node: Node v/)).toHaveCount(1);
  const alert = part(page, 'Sizes').getByRole('alert');
  await expect(alert).toContainText('This part could not be loaded: Sizes.');
  await axe();
  broken = false;
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(part(page, 'Sizes')).toContainText('Data folder');
  await expect(alert).toHaveCount(0);
  answer();
  await expect(line(page, /The LMS accepts the developer key/)).toHaveCount(1);

  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('button', { name: 'Check again' })).toBeFocused();
  await expect(line(page, /node: Node v/)).toHaveCount(1);
});

test('the page says if it cannot be opened', async ({ page, signIn }) => {
  await page.route(`**${ENDPOINTS.system}`, (route) =>
    route.fulfill({
      status: 503,
      json: {
        status: 503,
        error: {
          code: 'internal',
          message: 'The database does not answer.',
          next: 'Wait.',
          requestId: 'r-2',
        },
      },
    }),
  );
  await signIn('alma.reyes', '/system');
  await expect(page.getByRole('alert')).toContainText('The system page could not be opened.');
  await expect(page.getByRole('alert')).toContainText('The database does not answer.');
});

test('held work is released after a confirmation whose first button keeps it', async ({
  page,
  signIn,
  axe,
}) => {
  // The server's answer without a restore, and with the hold that a restore leaves.
  await page.route(`**${ENDPOINTS.systemWork}`, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.held = { since: Date.now(), backupOf: Date.now() - 3_600_000, jobs: 2 };
    await route.fulfill({ response, json: body });
  });
  await signIn('alma.reyes', '/system');
  const notice = page.getByRole('region', { name: 'Work has been held since a restore' });
  await expect(notice).toContainText('2 jobs are waiting at the moment.');
  const button = notice.getByRole('button', { name: 'Release held work' });
  await button.click();
  const dialog = page.getByRole('alertdialog', { name: 'Release 2 waiting jobs?' });
  await expect(dialog.getByRole('button', { name: 'Keep holding the work' })).toBeFocused();
  await axe();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();

  await button.click();
  const released = page.waitForResponse((one) => one.url().endsWith(ENDPOINTS.systemRelease));
  await page.unroute(`**${ENDPOINTS.systemWork}`);
  await dialog.getByRole('button', { name: 'Release', exact: true }).click();
  expect((await released).status()).toBe(200);
  // The server was not holding anything, and the page says so.
  await expect(page.getByText('Nothing was held. The work has already been released.')).toBeVisible();
  await expect(notice).toBeHidden();
});

test('perm ALL without the permission does not give access to this page', async ({ page, signIn }) => {
  await signIn('dev.oduya', '/system');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 page not found.');
});
