/**
 * Pictures for the guide's page about access. Nothing is saved, because the other examples share the practice
 * LMS.
 */
import { expect, test } from './support/fixtures.ts';
import { EXAMPLES, picture } from './support/guide.ts';

test.use(EXAMPLES);

const BRUNO = 'bruno.keller@northbridge.example';

test('guide, access: an administrator views the people with access, and reviews a change', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', '/access');
  const table = page.getByRole('region', { name: 'People' });
  await expect(table.getByText('Course Enrollment').first()).toBeVisible();
  await expect(table.getByText('MBA').first()).toBeVisible();
  await picture(page, 'access', page.getByRole('main'));

  await page.getByRole('button', { name: `Open ${BRUNO}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Zoom Event Run' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'Zoom Creation' }).check();
  await dialog.getByRole('button', { name: 'Review the change' }).click();
  await expect(dialog.getByRole('list', { name: 'Loses' })).toHaveText('Zoom Event Run');
  await expect(dialog.getByRole('list', { name: 'Gains' })).toHaveText('Zoom Creation');
  await picture(page, 'access-review', dialog);
});
