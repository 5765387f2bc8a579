/**
 * Create Users by hand: the form, its checks, the review and the result for each person (requirements CU).
 */
import type { Page } from '@playwright/test';
import { fault, importsOf, next, officeImport, said, step, warning } from './support/course-enrollment.ts';
import {
  asCells,
  expectNoNotes,
  fillRow,
  inLms,
  input,
  newcomers,
  noteOf,
  PATH,
  pasteInto,
  SCHOOL,
  submitButton,
  sum,
} from './support/create-users.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

const COLUMNS = [
  'User ID',
  'Integration Id',
  'Login Id',
  'First Name',
  'Last Name',
  'Sortable Name',
  'Short Name',
  'Email',
  'Status',
];
const LOOKUP = '**/api/people/lookup';

test('CU-02 CU-03 CU-05 CU-07 CU-08 CU-09 CU-14 CU-15 CU-16 SHELL-31 the whole process can be done with the keyboard only', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [one, two] = newcomers(610_000, 2);
  if (!one || !two) throw new Error('nobody');
  const keys = page.keyboard;
  const tabTo = async (name: string) => {
    for (let press = 0; press < 40; press++) {
      const focused = page.locator(':focus');
      if ((await focused.count()) > 0 && (await focused.innerText()).trim() === name) return;
      await keys.press('Tab');
    }
    throw new Error(`${name} cannot be reached`);
  };
  const type = async (cells: readonly string[]) => {
    for (const [index, cell] of cells.entries()) {
      await keys.type(cell);
      if (index < cells.length - 1) await keys.press('Enter');
    }
  };
  await signIn('alma.reyes', PATH);
  await expect(step(page)).toHaveText('User Information');
  await input(page, 'PeopleSoft ID').focus();
  await type([one.psID, one.email.toUpperCase(), ' jean-PIERRE  luc', 'de la Cruz']);
  // Enter in the last field adds another row.
  await keys.press('Enter');
  await expect(input(page, 'PeopleSoft ID', 2)).toBeFocused();
  await keys.press('ArrowUp');
  await expect(input(page, 'PeopleSoft ID', 1)).toBeFocused();
  await expect(input(page, 'Email')).toHaveValue(one.email);
  await expect(input(page, 'First Name')).toHaveValue('jean-PIERRE luc');
  await keys.press('ArrowDown');
  await type([two.psID, two.email, two.firstName, two.lastName]);
  await tabTo('Add row');
  await keys.press('Enter');
  await expect(input(page, 'PeopleSoft ID', 3)).toBeFocused();
  await tabTo('Remove row 3');
  await keys.press('Enter');
  await expect(input(page, 'PeopleSoft ID', 3)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Remove row/ })).toHaveText(['Remove row 2']);
  await expect(next(page)).toBeEnabled();
  await tabTo('Next');
  await keys.press('Enter');

  await expect(step(page)).toHaveText('Final Review');
  await expect(step(page)).toBeFocused();
  await expect(page.getByRole('columnheader')).toHaveText(COLUMNS);
  await expect(page.getByRole('row').nth(1).getByRole('cell')).toHaveText([
    one.psID,
    one.psID,
    one.email,
    'Jean-Pierre Luc',
    'DE LA CRUZ',
    'DE LA CRUZ, Jean-Pierre Luc',
    'Jean-Pierre Luc DE LA CRUZ',
    one.email,
    'active',
  ]);
  await axe();
  await tabTo('Back');
  await keys.press('Enter');
  await expect(step(page)).toHaveText('User Information');
  await expect(input(page, 'Last Name', 2)).toHaveValue(two.lastName);
  await expect(next(page)).toBeEnabled();
  await tabTo('Next');
  await keys.press('Enter');
  await expect(step(page)).toHaveText('Final Review');
  await tabTo('Submit Data to Canvas');
  await keys.press('Enter');

  await expect(step(page)).toHaveText('Submit and Status');
  await expect(step(page)).toBeFocused();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 30_000 });
  await expect(
    page.getByRole('heading', { name: 'Imported Items' }).or(said(page, 'Imported Items')),
  ).toBeVisible();
  await expect(page.getByRole('definition')).toHaveText('2');
  const table = page.getByRole('table', { name: 'Result for each person' });
  await expect(table.getByRole('row').filter({ hasText: 'Created' })).toHaveCount(2);
  await expect(table.getByRole('link', { name: /Jean-Pierre Luc DE LA CRUZ/ })).toHaveAttribute(
    'href',
    new RegExp(`^${campus.lms}/users/\\d+$`),
  );
  expect(await inLms(campus, one.psID)).toMatchObject({
    name: 'Jean-Pierre Luc DE LA CRUZ',
    sortable_name: 'DE LA CRUZ, Jean-Pierre Luc',
    login_id: one.email,
    integration_id: one.psID,
  });
  await axe();
  await tabTo('Back to Home');
  await keys.press('Enter');
  await expect(step(page)).toHaveText('User Information');
  await expect(input(page, 'PeopleSoft ID')).toHaveValue('');
});

test('CU-17 CU-19 CU-22 CU-23 CU-24 CU-25 CU-26 OP-55 OP-58 every documented text is shown at its field and in the dialog', async ({
  page,
  signIn,
  axe,
}) => {
  const [one] = newcomers(611_000, 1);
  if (!one) throw new Error('nobody');
  await signIn('alma.reyes', PATH);
  await next(page).click();
  await expect(warning(page)).toContainText('Please insert user information.');
  await axe();
  await page.keyboard.press('Enter');
  await expect(input(page, 'PeopleSoft ID')).toBeFocused();

  // While typing, only errors that more characters could not correct are shown.
  await page.keyboard.type('12');
  await input(page, 'Email').focus();
  await page.keyboard.type('nora@north');
  await expectNoText(page, 'Email is not valid');
  await page.keyboard.press('Tab');
  expect(await noteOf(page, 'Email')).toBe(`Email is not valid. Please enter ${SCHOOL} email address.`);
  await input(page, 'PeopleSoft ID').fill('12x');
  expect(await noteOf(page, 'PeopleSoft ID')).toBe('Peoplesoft ID must be digits.');
  await input(page, 'First Name').fill('R2');
  expect(await noteOf(page, 'First Name')).toBe('Special charactors and numbers not allowed.');
  await input(page, 'Last Name').fill("O'Brien");
  expect(await noteOf(page, 'Last Name')).toBe('Special charactors and numbers not allowed.');
  await expect(input(page, 'Last Name')).toHaveAttribute('aria-invalid', 'true');
  await axe();
  await next(page).click();
  await expect(warning(page)).toContainText('Please fix the errors before proceed next.');
  await page.getByRole('button', { name: 'Ok' }).click();
  await expect(input(page, 'PeopleSoft ID')).toBeFocused();
  // The error stays visible while it is being corrected.
  expect(await noteOf(page, 'PeopleSoft ID')).toBe('Peoplesoft ID must be digits.');

  // A person who exists, found by email in any case and by PeopleSoft ID.
  await fillRow(page, 1, { ...one, psID: '5001001', email: 'Alma.Reyes@Northbridge.example' });
  await expect.poll(() => noteOf(page, 'Email')).toMatch(/^The User Already exists in LMS\. \d+$/);
  await expect.poll(() => noteOf(page, 'PeopleSoft ID')).toBe('The User Already exists in LMS. 5001001');
  await next(page).click();
  await expect(warning(page)).toContainText('Please fix the errors before proceed next.');
  await page.keyboard.press('Enter');

  // If two rows have the same id or email, the later one has the error.
  await fillRow(page, 1, one);
  await page.getByRole('button', { name: 'Add row' }).click();
  await fillRow(page, 2, { ...one, email: ` ${one.email.toUpperCase()} ` });
  expect(await noteOf(page, 'PeopleSoft ID', 2)).toBe('Row 1 has the same PeopleSoft ID.');
  expect(await noteOf(page, 'Email', 2)).toBe('Row 1 has the same email.');
  expect(await noteOf(page, 'PeopleSoft ID', 1)).not.toContain('same');
  await expect(next(page)).toBeEnabled();
  await next(page).click();
  await expect(warning(page)).toContainText('Please fix the errors before proceed next.');
  await page.keyboard.press('Enter');
  await expect(input(page, 'PeopleSoft ID', 2)).toBeFocused();
  await axe();
});

test('CU-06 OP-59 the preview follows the entries as they are typed', async ({ page, signIn, axe }) => {
  await signIn('alma.reyes', PATH);
  const simulate = page.getByRole('checkbox', { name: 'Simulate Users' });
  await expect(page.getByRole('table')).toHaveCount(0);
  await simulate.check();
  await expect(page.getByRole('columnheader')).toHaveText(COLUMNS);
  await input(page, 'First Name').fill('zoë');
  await input(page, 'Last Name').fill('weiß');
  const cells = page.getByRole('row').nth(1).getByRole('cell');
  await expect(cells.nth(5)).toHaveText('WEISS, Zoë');
  await axe();
  await page.reload();
  await expect(cells.nth(6)).toHaveText('Zoë WEISS');
  await simulate.uncheck();
  await expect(page.getByRole('table')).toHaveCount(0);
});

test('CU-03 CU-04 CU-21 OP-58 two hundred rows from a spreadsheet are looked up together, quickly, and can be undone with one click', async ({
  page,
  campus,
  signIn,
}) => {
  test.slow();
  const people = newcomers(620_000, 200);
  const lookups: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/people/lookup')) lookups.push(request.postData() ?? '');
  });
  await signIn('alma.reyes', PATH);
  await expect(step(page)).toHaveText('User Information');
  const slow = await fault(campus, { match: '/api/v1/*users*', kind: 'latency', ms: 3_000 });
  await pasteInto(page, 'Email', 1, `PeopleSoft ID\tE-mail\tFirst name\tLast name\r\n${asCells(people)}\r\n`);
  await expect(input(page, 'Last Name', 200)).toHaveValue(people[199]?.lastName ?? '');
  await expect(sum(page)).toHaveText('200 people');
  // A running check does not count as passed: Next waits for it, and says so.
  await expect(page.getByRole('progressbar', { name: 'Looking up in the LMS' }).first()).toBeVisible();
  await expect(next(page)).toBeDisabled();
  await expect(page.getByRole('main').getByText(/^Looking up \d+ entries in the LMS/)).toBeVisible();
  await slow();
  await expect(next(page)).toBeEnabled({ timeout: 60_000 });
  await expectNoNotes(page);
  expect(lookups).toHaveLength(1);

  // Typing in one row does not render any other row again.
  const touched = await page.evaluate(() => {
    const rows = new Set<string>();
    const watcher = new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        rows.add(element?.closest('[role="group"][aria-label^="Row"]')?.getAttribute('aria-label') ?? '');
      }
    });
    const form = document.querySelector('[role="group"][aria-label="People to create"]');
    if (form)
      watcher.observe(form, { subtree: true, childList: true, attributes: true, characterData: true });
    Object.assign(window, { rowsTouched: () => [...rows] });
    return rows.size;
  });
  expect(touched).toBe(0);
  await input(page, 'Last Name', 100).focus();
  await page.keyboard.type('son 2');
  await expect.poll(() => noteOf(page, 'Last Name', 100)).toContain('not allowed');
  expect(await page.evaluate(() => (window as unknown as { rowsTouched(): string[] }).rowsTouched())).toEqual(
    ['Row 100'],
  );
  await page.keyboard.press('Backspace');
  await expectNoNotes(page);

  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(input(page, 'PeopleSoft ID', 1)).toBeFocused();
  await expect(input(page, 'PeopleSoft ID', 2)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(input(page, 'Last Name', 100)).toHaveValue(/son/);
  // Lookups that were answered are not repeated.
  await expect(next(page)).toBeEnabled();
  expect(lookups).toHaveLength(1);

  await next(page).click();
  await expect(step(page)).toHaveText('Final Review');
  await submitButton(page).click();
  await expect(page.getByRole('definition')).toHaveText('200', { timeout: 60_000 });
  await expect(said(page, '200 of 200 people created.')).toBeVisible();
});

test('OP-58 a lookup that is not needed any more is cancelled', async ({ page, campus, signIn }) => {
  await signIn('alma.reyes', PATH);
  await expect(step(page)).toHaveText('User Information');
  const slow = await fault(campus, { match: '/api/v1/*users*', kind: 'latency', ms: 3_000 });
  const called = page.waitForRequest(LOOKUP);
  await input(page, 'PeopleSoft ID').fill('611999');
  const request = await called;
  const failed = page.waitForEvent('requestfailed', (one) => one === request);
  await input(page, 'PeopleSoft ID').fill('');
  await failed;
  await slow();
  await expectNoNotes(page);
});

test('OP-48 OP-58 if a lookup in the LMS fails, the id does not count as free, the failure is shown, and can be retried', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [one] = newcomers(612_000, 1);
  if (!one) throw new Error('nobody');
  await signIn('alma.reyes', PATH);
  await expect(step(page)).toHaveText('User Information');
  const correct = await fault(campus, { match: '/api/v1/*users*', kind: 'status', status: 503 });
  await fillRow(page, 1, one);
  await expect
    .poll(() => noteOf(page, 'Email'), { timeout: 20_000 })
    .toBe('Could not be looked up in the LMS.');
  await expect(said(page, '2 entries could not be looked up')).toBeVisible();
  await next(page).click();
  await expect(warning(page)).toContainText('Please fix the errors before proceed next.');
  await page.keyboard.press('Enter');
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });
  await correct();
  await page.getByRole('button', { name: 'Look up again' }).click();
  await expect(step(page)).toBeFocused();
  await expectNoNotes(page);
  await next(page).click();
  await expect(step(page)).toHaveText('Final Review');
});

test('OP-55 IMP-19 if people were created since the review, nothing is sent, and the form names them', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const people = newcomers(613_000, 2);
  const before = await importsOf(campus);
  await signIn('alma.reyes', PATH);
  await pasteInto(page, 'PeopleSoft ID', 1, asCells(people));
  await next(page).click();
  await expect(step(page)).toHaveText('Final Review');
  await officeImport(
    campus,
    `user_id,login_id,first_name,last_name,status\n${people[1]?.psID},somebody.${people[1]?.psID}@${SCHOOL},Some,Body,active`,
  );
  await submitButton(page).click();
  await expect(page.getByRole('alert')).toContainText(`The User Already exists in LMS. ${people[1]?.psID}`);
  await expect(page.getByRole('alert')).toContainText('Nothing has been sent.');
  await axe();
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await expect(step(page)).toHaveText('User Information');
  await expect(step(page)).toBeFocused();
  await expect.poll(() => noteOf(page, 'PeopleSoft ID', 2)).toContain('The User Already exists in LMS.');
  expect(await noteOf(page, 'PeopleSoft ID', 1)).toBe('');
  expect(await importsOf(campus)).toBe(before + 1);
});

test('OP-42 if the LMS fails at submission, nothing is sent, and the second attempt is one click', async ({
  page,
  campus,
  signIn,
}) => {
  const people = newcomers(614_000, 1);
  await signIn('alma.reyes', PATH);
  await pasteInto(page, 'PeopleSoft ID', 1, asCells(people));
  await next(page).click();
  await expect(step(page)).toHaveText('Final Review');
  const correct = await fault(campus, { match: '/api/v1/*users*', kind: 'status', status: 503 });
  await submitButton(page).click();
  await expect(page.getByRole('alert')).toContainText('Nothing has been sent.', { timeout: 20_000 });
  await correct();
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('definition')).toHaveText('1', { timeout: 30_000 });
});

test("CU-10 IMP-16 the LMS's message about a row is shown beside the person, who can be corrected immediately", async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const people = newcomers(615_000, 2);
  // A deleted person has the id as their integration id, which only the LMS detects.
  for (const status of ['active', 'deleted'])
    await officeImport(
      campus,
      `user_id,login_id,integration_id,first_name,last_name,status\n615900,p615900@${SCHOOL},${people[1]?.psID},Some,Body,${status}`,
    );
  await signIn('alma.reyes', PATH);
  await pasteInto(page, 'PeopleSoft ID', 1, asCells(people));
  await next(page).click();
  await submitButton(page).click();
  await expect(page.getByRole('alert')).toContainText('CSV error', { timeout: 30_000 });
  const table = page.getByRole('table', { name: 'Result for each person' });
  await expect(said(page, '1 of 2 people created.')).toBeVisible();
  await expect(table.getByRole('row').filter({ hasText: people[0]?.psID ?? '' })).toContainText('Created');
  await expect(table.getByRole('row').filter({ hasText: people[1]?.psID ?? '' })).toContainText(
    /Not created: The integration_id belongs to the person with the SIS ID '615900'/,
  );
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });
  await page.getByRole('button', { name: 'Correct 1 person and try again' }).click();
  await expect(step(page)).toHaveText('User Information');
  await expect(input(page, 'PeopleSoft ID')).toHaveValue(people[1]?.psID ?? '');
  await expect(input(page, 'PeopleSoft ID', 2)).toHaveCount(0);
  await input(page, 'PeopleSoft ID').fill('615777');
  await next(page).click();
  await submitButton(page).click();
  await expect(said(page, '1 of 1 person created.')).toBeVisible({ timeout: 30_000 });
});

async function expectNoText(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('main').getByText(text)).toHaveCount(0);
}
