/** Access with two-person approval: a change that waits for a second access administrator, in the browser. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

test.use({ campusKind: 'fourEyes' });

const ALMA = 'alma.reyes@northbridge.example';

test('a change to one’s own record waits, is previewed, and can be withdrawn', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', '/access');
  await page.getByRole('button', { name: `Open ${ALMA}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Search Users' }).uncheck();
  await dialog.getByRole('button', { name: 'Review the change' }).click();
  await expect(dialog).toContainText('A second access administrator must approve this.');
  await dialog.getByLabel('Why').fill('Not needed any more');
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await expect(page.getByText('The request is waiting for a second access administrator.')).toBeVisible();

  await page
    .getByRole('navigation', { name: 'Sections of this page' })
    .getByRole('link', { name: 'Requests' })
    .click();
  const main = page.getByRole('main');
  await expect(main).toContainText(`Requested by ${ALMA}.`);
  await expect(main.getByRole('list', { name: 'Loses' })).toContainText('Search Users');
  await expect(main.getByRole('button', { name: 'Approve the request' })).toHaveCount(0);
  await inEveryLook(page, async () => {
    await axe();
    expect(await sidewaysOverflow(page)).toBe(0);
  });
  await main.getByRole('button', { name: 'Withdraw the request' }).click();
  await expect(main).toContainText('No requests are waiting.');
  await page.goto('/users');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Users');
});

test('a change can be found in the history, however many came after it', async ({ page, signIn }) => {
  await signIn('alma.reyes', '/access');
  const saved = await page.evaluate(async (path) => {
    const save = async (logins: readonly string[], why: string) => {
      const changes = logins.map((login) => ({
        login,
        version: null,
        record: { perm: 'CUSTOM', email: login, sub_accounts: '86', user_search: false },
      }));
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ changes, why });
      return (await fetch(path, { method: 'POST', headers, body })).status;
    };
    const many = Array.from({ length: 600 }, (_, at) => `zz${at}@northbridge.example`);
    return [await save(['first@northbridge.example'], 'Holiday cover'), await save(many, 'New campus')];
  }, ENDPOINTS.accessSave);
  expect(saved).toEqual([200, 200]);
  await page.goto('/access?view=history');
  const history = page.getByRole('region', { name: 'History' });
  await expect(history).toContainText('zz');
  await page.getByRole('searchbox', { name: 'Search history' }).fill('Holiday cover');
  await expect(history.getByRole('row').filter({ hasText: 'Holiday cover' })).toContainText('first@');
});

test('in a long review, the reason why a change cannot be saved comes first', async ({ page, signIn }) => {
  await signIn('alma.reyes', '/access');
  await page.getByRole('button', { name: 'Add people' }).click();
  const dialog = page.getByRole('dialog');
  const logins = Array.from({ length: 30 }, (_, at) => `yy${at}@northbridge.example`);
  await dialog.getByLabel('Logins').fill([...logins, 'greta.lind@northbridge.example'].join('\n'));
  await dialog.getByRole('button', { name: 'Review the change' }).click();
  const first = dialog.getByRole('list', { name: 'Changes by person' }).getByRole('listitem').first();
  await expect(first).toContainText('greta.lind@northbridge.example already has a record.');
});
