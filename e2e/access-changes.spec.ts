/** Access: warnings about a change, removed access, and the page of a person who loses a tool. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import { signInAtLms } from './support/sign-in.ts';

test.use({ campusKind: 'access' });

const dialog = (page: Page) => page.getByRole('dialog');
const review = (page: Page) => dialog(page).getByRole('button', { name: 'Review the change' }).click();
const ELENA = 'elena.marsh@northbridge.example';
const FARID = 'farid.noor@northbridge.example';

async function looks(page: Page, axe: () => Promise<void>): Promise<void> {
  await inEveryLook(page, async () => {
    await axe();
    expect(await sidewaysOverflow(page)).toBe(0);
  });
}

test('a login that the LMS does not have, and a record that allows nothing, are reported before and after saving', async ({
  page,
  signIn,
  axe,
}) => {
  test.slow();
  await signIn('alma.reyes', '/access');
  await page.getByRole('button', { name: 'Add people' }).click();
  await dialog(page).getByLabel('Logins').fill('zoe01');
  await review(page);
  await expect(dialog(page).getByRole('alert')).toHaveText('Enter the email address of this person.');
  await dialog(page).getByLabel('Email').fill('zoe@northbridge.example');
  const programmes = dialog(page).getByRole('combobox', { name: 'Programmes' });
  await programmes.fill('MBA');
  await expect(page.getByRole('listbox').getByRole('option').first()).toHaveText(/^MBA/);
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.keyboard.press('Escape');
  await review(page);
  await expect(dialog(page)).toContainText('The LMS does not have a person with the login zoe01.');
  await expect(dialog(page)).toContainText('This record has no tools');
  await looks(page, axe);
  await dialog(page).getByRole('button', { name: 'Save access for 1 person' }).click();
  await expect(page.getByText('1 of these logins is not in the LMS.')).toBeVisible();
  const people = page.getByRole('region', { name: 'People' });
  await expect(people.getByRole('row').filter({ hasText: 'zoe01' })).toContainText('Not in the LMS');
  await page.getByRole('combobox', { name: 'People in a programme' }).fill('MBA');
  await page.getByRole('listbox').getByRole('option').first().click();
  await expect(people.getByText('zoe01')).toBeVisible();
  await expect(people.getByText('carla.singh')).toHaveCount(0);
  await looks(page, axe);
});

test('changing from the whole school to one programme names every lost role and the remaining ones', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', '/access');
  await page.getByRole('button', { name: `Open ${FARID}` }).click();
  await dialog(page).getByRole('radio', { name: 'Some programmes' }).check();
  await dialog(page).getByRole('combobox', { name: 'Programmes' }).fill('MBA');
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.keyboard.press('Escape');
  await review(page);
  const loses = dialog(page).getByRole('list', { name: 'Loses' });
  await expect(loses).toContainText('The whole school, except MBA');
  await expect(loses).toContainText(/Roles for courses: .*Student.*Teacher/);
  await expect(dialog(page).getByRole('list', { name: 'Gains' })).toHaveCount(0);
});

test('the end date of several people is set and removed, and the reason is in the history', async ({
  page,
  signIn,
  axe,
}) => {
  test.slow();
  await signIn('alma.reyes', '/access');
  const choose = async () => {
    for (const login of [ELENA, FARID]) await page.getByRole('checkbox', { name: `Select ${login}` }).check();
    await page.getByRole('button', { name: 'Change 2 people' }).click();
  };
  const save = async () => {
    await review(page);
    await dialog(page).getByRole('button', { name: 'Save access for 2 people' }).click();
    await expect(dialog(page)).toHaveCount(0);
  };
  await choose();
  await dialog(page).getByLabel('End date').selectOption('Set an end date');
  await dialog(page)
    .getByLabel('Last day')
    .fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10));
  await looks(page, axe);
  await save();
  const row = page.getByRole('row').filter({ hasText: ELENA });
  await expect(row).not.toContainText('No end date');
  await choose();
  await dialog(page).getByLabel('End date').selectOption('Remove the end date');
  await save();
  await expect(row).toContainText('No end date');

  await page.getByRole('button', { name: `Open ${ELENA}` }).click();
  await dialog(page).getByLabel('Reason').fill('Runs the exchange office');
  await review(page);
  await dialog(page).getByRole('button', { name: 'Save access for 1 person' }).click();
  await page
    .getByRole('navigation', { name: 'Sections of this page' })
    .getByRole('link', { name: 'History' })
    .click();
  await expect(page.getByRole('row').filter({ hasText: ELENA }).first()).toContainText(
    'Reason: none → Runs the exchange office.',
  );
});

test('a person who loses a tool while its page is open sees a notice that lists the remaining tools', async ({
  page,
  browser,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  await signIn('bruno.keller', '/course-student-export');
  const others = await browser.newContext();
  const alma = await others.newPage();
  await signInAtLms(alma, campus, 'alma.reyes', '/access');
  await alma.getByRole('button', { name: 'Open bruno.keller@northbridge.example' }).click();
  await dialog(alma).getByRole('checkbox', { name: 'Course Student Exports' }).uncheck();
  await review(alma);
  await dialog(alma).getByRole('button', { name: 'Save access for 1 person' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'You no longer have access to Course Student Exports',
  );
  await expect(page.getByRole('list', { name: 'You still have these tools:' })).toContainText(
    'Course Enrollment',
  );
  await looks(page, axe);
  await others.close();
});
