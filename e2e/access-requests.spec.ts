/** Access with four eyes: a change that waits for a second access administrator, in the browser. */
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

test.use({ campusKind: 'fourEyes' });

const ALMA = 'alma.reyes@northbridge.example';

test('a change of one’s own record waits, is shown as it would be, and can be withdrawn', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', '/access');
  await page.getByRole('button', { name: `Open ${ALMA}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Search Users' }).uncheck();
  await dialog.getByRole('button', { name: 'Review the change' }).click();
  await expect(dialog).toContainText('A second access administrator has to approve this.');
  await dialog.getByLabel('Why').fill('Not needed any more');
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await expect(page.getByText('The request is waiting for a second access administrator.')).toBeVisible();

  await page
    .getByRole('navigation', { name: 'Parts of this page' })
    .getByRole('link', { name: 'Requests' })
    .click();
  const main = page.getByRole('main');
  await expect(main).toContainText(`Asked by ${ALMA}.`);
  await expect(main.getByRole('list', { name: 'Loses' })).toContainText('Search Users');
  await expect(main.getByRole('button', { name: 'Approve the request' })).toHaveCount(0);
  await inEveryLook(page, async () => {
    await axe();
    expect(await sidewaysOverflow(page)).toBe(0);
  });
  await main.getByRole('button', { name: 'Withdraw the request' }).click();
  await expect(main).toContainText('No request is waiting.');
  await page.goto('/users');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Users');
});
