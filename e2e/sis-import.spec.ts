/**
 * SIS Import by hand: from the template to the counts, selecting the file, and with the keyboard only
 * (requirements SIS).
 */
import { readFile } from 'node:fs/promises';
import { importsOf, lmsList, next, said, step, warning } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  card,
  choose,
  csv,
  newPeople,
  PATH,
  picker,
  submit,
  toReview,
  toUpload,
} from './support/sis-import.ts';

test.use({ campusKind: 'slow' });

test('SIS-01 SIS-02 SIS-04 SIS-06 SHELL-32 IMP-08 IMP-12 IMP-14 LMS-11 a users file is sent once, its counts are shown, and the people then exist', async ({
  page,
  campus,
  signIn,
}) => {
  const submits: string[] = [];
  page.on('request', (request) => {
    const body = request.postData() ?? '';
    if (body.includes('POST_SIS')) submits.push(body);
  });
  const before = await importsOf(campus);
  await signIn('alma.reyes', PATH);
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveText([
    /Select SIS Type/,
    /Upload Csv/,
    /Status and Review/,
  ]);
  await toReview(page, csv('new people.csv', newPeople('SISA', 12)));
  await expect(said(page, '“Submit Data to LMS” sends 12 rows of users: 12 active.')).toBeVisible();
  const preview = page.getByRole('table', { name: 'First rows: Users' });
  await expect(preview.getByRole('columnheader')).toHaveText([
    'user_id',
    'login_id',
    'first_name',
    'last_name',
    'status',
  ]);
  await expect(preview.getByRole('row')).toHaveCount(11);
  await expect(said(page, 'The first 10 of 12 rows.')).toBeVisible();
  // Up to this point nothing has reached the LMS.
  expect(await importsOf(campus)).toBe(before);

  await submit(page).dblclick();
  await expect(step(page)).toHaveText('Progress');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^(20|40|70)$/);
  await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  await expect(said(page, 'The import is complete and all records were successfully imported.')).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
  await expect(page.getByRole('region', { name: 'Imported Items' })).toContainText('12');
  expect(submits).toHaveLength(1);
  expect(await importsOf(campus)).toBe(before + 1);
  const found = await lmsList<{ sis_user_id: string }>(campus, 'accounts/1/users?search_term=SISA0');
  expect(found).toHaveLength(12);

  await page.getByRole('button', { name: 'Back to Home' }).click();
  await expect(step(page)).toHaveText('Select SIS Type');
  await toUpload(page);
  await expect(card(page, 'new people.csv')).toHaveCount(0);
});

test('SIS-03 OP-54 each template can be downloaded, has a header and a sample row, and is recognised when uploaded', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  const table = page.getByRole('table', { name: 'CSV templates' });
  for (const [name, header, kind] of [
    ['Users-Template.csv', 'user_id,integration_id,login_id,', 'Users'],
    ['Enrollments-Template.csv', 'course_id,user_id,role_id,section_id,status', 'Enrollments'],
    ['Delete-Users-Template.csv', 'user_id,login_id,status', 'Users'],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      table.getByRole('link', { name: `Download ${name}` }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
    expect(new URL(download.url()).pathname).toBe(`/csv-templates/${name}`);
    const text = await readFile(await download.path(), 'utf8');
    // Excel splits the cells by the separator named in the first line, in every language.
    expect(text.startsWith(`sep=,\n${header}`)).toBe(true);
    expect(text.trim().split('\n')).toHaveLength(3);
    await toUpload(page);
    await choose(page, csv(name, text));
    await expect(card(page, name)).toContainText(kind);
    await expect(card(page, name)).toContainText('The header is recognised.');
    await page.getByRole('button', { name: 'Back', exact: true }).click();
  }
});

test('SIS-04 SIS-05 ERR-01 no file, a wrong one, another one and none again each have their message', async ({
  page,
  signIn,
  axe,
}) => {
  await signIn('alma.reyes', PATH);
  await toUpload(page);
  await next(page).click();
  await expect(warning(page)).toContainText('Please Select a CSV File.');
  await warning(page).getByRole('button', { name: 'Ok' }).click();
  await expect(picker(page)).toBeFocused();

  await choose(page, csv('other.csv', 'name,thing\n1,2'));
  await expect(card(page, 'other.csv')).toContainText('It reads: name, thing. In the next step');
  await choose(page, csv('wrong.csv', 'A letter to the dean\nand so on'));
  await expect(card(page, 'wrong.csv')).toContainText('It reads: A letter to the dean.');
  await next(page).click();
  await expect(warning(page)).toContainText('not the header of an SIS file');
  await warning(page).getByRole('button', { name: 'Ok' }).click();
  await axe();

  await picker(page).setInputFiles(csv('empty.csv', ''));
  await expect(card(page, 'empty.csv')).toContainText('The file is empty.');
  await picker(page).setInputFiles(csv('book.xlsx', Buffer.from('PK\u0003\u0004 [Content_Types].xml')));
  await expect(card(page, 'book.xlsx')).toContainText('spreadsheet, not a CSV');
  await picker(page).setInputFiles(
    csv('admins.csv', 'user_id,account_id,role,status\n1,,AccountAdmin,active'),
  );
  await expect(card(page, 'admins.csv')).toContainText('administrators');

  await choose(page, csv('good.csv', newPeople('SISB', 2)));
  await expect(page.getByRole('group', { name: 'admins.csv' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Selected so far' })).toContainText('good.csv');
  await card(page, 'good.csv').getByRole('button', { name: 'Remove good.csv' }).click();
  await expect(card(page, 'good.csv')).toHaveCount(0);
  await expect(picker(page)).toBeFocused();
  await next(page).click();
  await expect(warning(page)).toContainText('Please Select a CSV File.');
});

test('SIS-04 a file is accepted by drag and drop; two at once, or one beside the field, are not', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  await toUpload(page);
  const drop = async (target: string, ...names: string[]) => {
    const data = await page.evaluateHandle((all) => {
      const transfer = new DataTransfer();
      for (const name of all) transfer.items.add(new File(['user_id,login_id,status\n1,a,active'], name));
      return transfer;
    }, names);
    await page.locator(target).dispatchEvent('dragover', { dataTransfer: data });
    await page.locator(target).dispatchEvent('drop', { dataTransfer: data });
  };
  const field = '[role=group][aria-label="CSV file"]';
  await drop(field, 'one.csv', 'two.csv');
  await expect(said(page, 'Select one file only.')).toBeVisible();
  await expect(card(page, 'one.csv')).toHaveCount(0);
  await drop(field, 'dropped.csv');
  await expect(card(page, 'dropped.csv')).toContainText('Users');
  await expect(said(page, 'Select one file only.')).toHaveCount(0);
  // Elsewhere the browser would open the file in place of the console.
  await drop('h1', 'beside.csv');
  await expect(card(page, 'dropped.csv')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${PATH}$`));
});

test('SIS-02 SIS-04 the whole tool can be used with the keyboard only', async ({ page, signIn }) => {
  await signIn('alma.reyes', PATH);
  const tabTo = async (target: ReturnType<typeof submit>) => {
    for (let presses = 0; presses < 40; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('not reached by Tab');
  };
  await tabTo(page.getByRole('link', { name: 'Download Users-Template.csv' }));
  await tabTo(next(page));
  await page.keyboard.press('Enter');
  await expect(step(page)).toBeFocused();
  await tabTo(picker(page));
  const opened = page.waitForEvent('filechooser');
  // Playwright does not wait until the browser expects the file chooser; after this answer, the browser does.
  await page.evaluate(() => null);
  await page.keyboard.press('Space');
  await (await opened).setFiles(
    csv('keys.csv', 'user_id,login_id,status\nKEYS1,keys1@northbridge.example,deleted'),
  );
  await expect(card(page, 'keys.csv')).toBeVisible();
  await tabTo(next(page));
  await page.keyboard.press('Enter');
  await expect(step(page)).toBeFocused();
  await expect(
    said(page, 'None of these rows changes anything, but the LMS still counts them as imported.'),
  ).toBeVisible();
  await tabTo(submit(page));
  await page.keyboard.press('Enter');
  await expect(step(page)).toBeFocused();
  await expect(step(page)).toHaveText('Progress');
  const home = page.getByRole('button', { name: 'Back to Home' });
  await expect(home).toBeVisible({ timeout: 30_000 });
  await tabTo(home);
  await page.keyboard.press('Enter');
  await expect(step(page)).toHaveText('Select SIS Type');
});

test("SIS-02 SHELL-32 the browser's Forward does not skip a step, and Back works after it", async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  await next(page).click();
  await expect(step(page)).toHaveText('Upload Csv');
  await page.goBack();
  await expect(step(page)).toHaveText('Select SIS Type');
  const before = await page.evaluate(() => JSON.stringify(window.history.state));
  await page.evaluate(() =>
    new Promise((resolve) => {
      window.addEventListener('popstate', resolve, { once: true });
      window.history.forward();
    }).then(() => null),
  );
  await expect.poll(() => page.evaluate(() => JSON.stringify(window.history.state))).toBe(before);
  await expect(step(page)).toHaveText('Select SIS Type');
  await next(page).click();
  await expect(step(page)).toHaveText('Upload Csv');
  await page.goBack();
  await expect(step(page)).toHaveText('Select SIS Type');
});
