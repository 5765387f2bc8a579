/** The second step: role, action and the chips (requirements CE and ERR). */
import {
  back,
  chip,
  field,
  next,
  PATH,
  paste,
  said,
  toPeople,
  warning,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';

test.beforeEach(async ({ signIn }) => signIn('alma.reyes', PATH));

test('CE-06 CE-07 CE-08 ERR-01 PERM-12 step 1 lists what it requires in order, in the documented words', async ({
  page,
  axe,
}) => {
  await toPeople(page);
  await axe();
  const warned = async (text: string, focused: string) => {
    await next(page).click();
    await expect(warning(page)).toContainText(text);
    await warning(page).getByRole('button', { name: 'Ok' }).click();
    await expect(page.locator(`#${focused}`)).toBeFocused();
  };
  await warned('Please select role and enter users email addresses', 'enrollment-role');
  await page.getByRole('combobox', { name: 'Role' }).click();
  await expect(page.getByRole('listbox', { name: 'Role' }).getByRole('option')).toHaveCount(12);
  await axe();
  await page.getByRole('option', { name: 'Student', exact: true }).click();
  await warned('Please select action type. ADD/REMOVE', 'enrollment-action');
  await page.getByRole('radio', { name: 'Add' }).check();
  await warned('Type email address and Press Enter to add users.', 'enrollment-people');
  await field(page).fill('half an address');
  await next(page).click();
  await expect(warning(page)).toContainText('is not a valid email address.');
});

test('CE-09 CE-10 CE-11 Enter, Tab, a comma or leaving the field turns text into a chip; messages are at the field', async ({
  page,
  axe,
}) => {
  await toPeople(page);
  for (const [index, key] of ['Enter', 'Tab', ','].entries()) {
    await field(page).fill(`person${index}@northbridge.example`);
    await field(page).press(key);
    await expect(chip(page, `person${index}@northbridge.example`)).toBeVisible();
    await expect(field(page)).toBeFocused();
    await expect(field(page)).toHaveValue('');
  }
  await field(page).fill('person3@northbridge.example');
  await page.getByRole('combobox', { name: 'Role' }).focus();
  await expect(chip(page, 'person3@northbridge.example')).toBeVisible();

  // Text typed after a rejected piece is not joined to it as one address.
  await field(page).pressSequentially('mary,ann@northbridge.example');
  await field(page).press('Enter');
  await expect(chip(page, 'ann@northbridge.example')).toBeVisible();
  await chip(page, 'ann@northbridge.example').click();

  await field(page).fill('nonsense');
  await field(page).press('Enter');
  await expect(said(page, 'nonsense is not a valid email address.')).toBeVisible();
  await expect(field(page)).toHaveAccessibleDescription(/nonsense is not a valid email address\./);
  await axe();
  await field(page).fill('Person0@northbridge.example');
  await field(page).press('Enter');
  await expect(said(page, 'Person0@northbridge.example has already been added.')).toBeVisible();
  await expect(page.getByRole('list', { name: '4 addresses' })).toBeVisible();

  // Tab never traps the focus: with rejected text it leaves the field at the second Tab, in an empty field at
  // the first.
  await field(page).press('Tab');
  await expect(field(page)).not.toBeFocused();
  await field(page).fill('');
  await field(page).focus();
  await field(page).press('Tab');
  await expect(field(page)).not.toBeFocused();
});

test('CE-09 the field accepts 500 addresses from a spreadsheet column and a line from a mail program; addresses can be removed and restored', async ({
  page,
  axe,
}) => {
  await toPeople(page);
  const column = Array.from({ length: 500 }, (_, index) => `p${index}@northbridge.example`);
  await paste(page, column.join('\r\n'));
  await expect(said(page, '500 addresses')).toBeVisible();
  await paste(
    page,
    'Reyes, Alma <alma.reyes@northbridge.example>; Abbott, Lars <lars.abbott@northbridge.example>; p1@northbridge.example',
  );
  await expect(said(page, '502 addresses')).toBeVisible();
  await expect(said(page, '2 new, 1 duplicate.')).toBeVisible();
  expect(await page.getByRole('button', { name: /^Remove p\d/ }).count()).toBeLessThan(60);
  await axe();

  await page.getByRole('searchbox', { name: 'Search this list' }).fill('lars');
  await chip(page, 'lars.abbott@northbridge.example').click();
  await page.getByRole('searchbox', { name: 'Search this list' }).fill('');
  await expect(said(page, '501 addresses')).toBeVisible();
  await page.getByRole('button', { name: 'Remove all' }).click();
  await expect(said(page, '501 addresses removed.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('list', { name: '501 addresses' })).toBeVisible();

  // A paste names a piece that has an @ but is not an address.
  await paste(page, 'one@northbridge.example two@northbridge');
  await expect(said(page, 'two@northbridge – it is not a complete address')).toBeVisible();
});

test('CE-09 CE-10 a paste accepts whole addresses or none, and shows the result until it is dismissed', async ({
  page,
  axe,
}) => {
  await toPeople(page);
  await paste(
    page,
    [
      'Email',
      'alma.reyes@northbridge.example',
      'mary–ann@northbridge.example',
      'a(n)n@northbridge.example',
      'ann@bob@northbridge.example',
      'mary ann@northbridge.example',
      '#N/A',
      '=HYPERLINK("mailto:lars@northbridge.example")',
      'jürgen.müller@northbridge.example',
      'ALMA.reyes@northbridge.example',
    ].join('\r\n'),
  );
  await expect(page.getByRole('list', { name: '2 addresses' }).getByRole('listitem')).toHaveText([
    /^alma\.reyes@northbridge\.example/,
    /^jürgen\.müller@northbridge\.example/,
  ]);
  await expect(said(page, '2 new, 1 duplicate, 2 lines without an address, 5 not valid.')).toBeVisible();
  const notTaken = page.getByRole('list', { name: 'Not added: 7.' }).getByRole('listitem');
  const reasons = [
    'Email – it contains no address',
    'mary–ann@northbridge.example – – is not allowed in an address',
    'a(n)n@northbridge.example – ( is not allowed in an address',
    'ann@bob@northbridge.example – it contains more than one @',
    'mary ann@northbridge.example – it contains a space',
    '#N/A – it is an error value of a spreadsheet',
    '=HYPERLINK("mailto:lars@northbridge.example") – it is a formula',
  ];
  await expect(notTaken).toHaveText(reasons);
  await axe();
  // The result stays while typing, after a step back, and after a reload.
  await field(page).fill('lars.abbott@northbridge.example');
  await field(page).press('Enter');
  await back(page).click();
  await next(page).click();
  await page.reload();
  await expect(notTaken).toHaveText(reasons);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notTaken).toHaveCount(0);
  await expect(field(page)).toBeFocused();

  // If only a single piece was pasted and rejected, it stays in the field.
  await paste(page, 'o’neill@northbridge.example');
  await expect(field(page)).toHaveValue('o’neill@northbridge.example');
  await expect(
    said(page, 'o’neill@northbridge.example is not a valid email address. ’ is not allowed in an address.'),
  ).toBeVisible();
  await expect(page.getByRole('list', { name: '3 addresses' })).toBeVisible();
});

test('CE-09 chips can be used with the keyboard: Backspace, arrow keys, Delete', async ({ page }) => {
  await toPeople(page);
  await paste(page, ['a', 'b', 'c', 'd'].map((name) => `${name}@northbridge.example`).join(','));
  await field(page).press('Backspace');
  await expect(page.getByRole('list', { name: '3 addresses' })).toBeVisible();
  await field(page).press('ArrowLeft');
  await expect(chip(page, 'c@northbridge.example')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(chip(page, 'b@northbridge.example')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(chip(page, 'b@northbridge.example')).toBeHidden();
  await expect(chip(page, 'c@northbridge.example')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(field(page)).toBeFocused();
});
