/** Access: viewing, testing and changing permissions in the browser. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

test.use({ campusKind: 'access' });

const dialog = (page: Page) => page.getByRole('dialog');
const ALMA = 'alma.reyes@northbridge.example';
const BRUNO = 'bruno.keller@northbridge.example';
const GRETA = 'greta.lind@northbridge.example';

/** Opens a part of the page. */
const part = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections of this page' }).getByRole('link', { name }).click();

async function looks(page: Page, axe: () => Promise<void>): Promise<void> {
  await inEveryLook(page, async () => {
    await axe();
    expect(await sidewaysOverflow(page)).toBe(0);
  });
}

test('an access administrator gives a colleague two tools in one programme until Friday, after a review', async ({
  page,
  signIn,
  axe,
}) => {
  test.slow();
  await signIn('alma.reyes', '/access');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access');
  const table = page.getByRole('region', { name: 'People' });
  await expect(table.getByText(GRETA)).toBeVisible();
  // The filter by role also finds people with access to the whole school, who can assign every role.
  const roles = table.getByLabel('Filter Roles');
  await roles.fill('Teacher');
  await expect(table.getByText(ALMA)).toBeVisible();
  await expect(table.getByText(BRUNO)).toHaveCount(0);
  await roles.fill('');
  await looks(page, axe);

  await page.getByRole('button', { name: `Open ${GRETA}` }).click();
  const record = dialog(page);
  await expect(record).toContainText(`Access of ${GRETA}`);
  await record.getByRole('combobox', { name: 'Programmes' }).fill('MBA');
  await page.getByRole('option', { name: /MBA/ }).first().click();
  await page.keyboard.press('Escape');
  await record.getByRole('checkbox', { name: 'Course Enrollment' }).check();
  await record.getByRole('checkbox', { name: 'Zoom Creation' }).check();
  await expect(record.getByRole('checkbox', { name: /^Access/ })).toBeDisabled();
  await record.getByRole('combobox', { name: 'Roles for courses' }).fill('Student');
  await page.getByRole('option', { name: 'Student' }).first().click();
  await page.keyboard.press('Escape');
  await record.getByLabel('Reason').fill('Covers for Bruno');
  const friday = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  await record.getByLabel('Last day').fill(friday);
  await looks(page, axe);
  await record.getByRole('button', { name: 'Review the change' }).click();

  const review = dialog(page);
  await expect(review).toContainText('Change the access of 1 person?');
  const gains = review.getByRole('list', { name: 'Gains' });
  await expect(gains).toContainText('Course Enrollment');
  await expect(gains).toContainText('Zoom Creation');
  await expect(review.getByRole('list', { name: 'Loses' })).toHaveCount(0);
  await review.getByLabel('Why').fill('Holiday cover');
  await looks(page, axe);
  await review.getByRole('button', { name: 'Save access for 1 person' }).click();
  await expect(page.getByText('The access of 1 person was saved.')).toBeVisible();
  await expect(page.getByText('The access of 1 person ends within 14 days.')).toBeVisible();

  await part(page, 'History');
  const line = page.getByRole('row').filter({ hasText: 'Holiday cover' });
  await expect(line).toContainText('Gained: Course Enrollment, Zoom Creation');
  await looks(page, axe);
});

test('a person sees their access, when it ends, and what they can ask for', async ({ page, signIn, axe }) => {
  await signIn('greta.lind', '/access/me');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your access');
  await expect(
    page.getByRole('status').filter({ hasText: 'Your access to LMS Admin ends on' }),
  ).toBeVisible();
  await expect(page.getByRole('list', { name: 'Tabs shown' }).getByRole('listitem')).toHaveText([
    'Course Enrollment',
    'Zoom Creation',
  ]);
  await expect(page.getByLabel('Request')).toHaveValue(new RegExp(`Login: ${GRETA}`));
  await looks(page, axe);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Your access' })).toBeVisible();
  // The page for access administrators does not exist for other people.
  await page.goto('/access');
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Access');
});

test('three questions are answered without opening a record', async ({ page, signIn, axe }) => {
  test.slow();
  await signIn('alma.reyes', '/access?view=check');
  const ask = page.getByRole('button', { name: 'Check', exact: true });
  await page.getByLabel('What to check').selectOption('Whether a person can do something');
  await page.getByLabel('Person').fill(BRUNO);
  await page.getByLabel('Action').selectOption('remove people from a course');
  await page.getByLabel('With the role').selectOption('Teacher');
  await ask.click();
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 2 }).last()).toHaveText(
    `No: ${BRUNO} cannot remove people from a course as Teacher.`,
  );
  await expect(main).toContainText('Teacher is not among the roles for courses in the record.');
  await looks(page, axe);

  await page.getByLabel('With the role').selectOption('Student');
  await ask.click();
  await expect(main.getByRole('heading', { level: 2 }).last()).toHaveText(
    `Yes: ${BRUNO} can remove people from a course as Student.`,
  );

  // For a programme, matches for the typed text come first, and the answer names the programme.
  const programme = page.getByRole('combobox', { name: 'In the programme' });
  await programme.fill('MBA');
  await page.keyboard.press('Enter');
  await expect(programme).toHaveValue('MBA');
  await ask.click();
  await expect(main.getByRole('heading', { level: 2 }).last()).toHaveText(
    `Yes: ${BRUNO} can remove people from a course as Student (MBA).`,
  );
  await expect(main).toContainText('Deciding rule: The record covers MBA.');
  await programme.fill('');

  // An unknown course cannot be part of a question, and the previous answer disappears.
  const course = page.getByLabel('In the course');
  await course.fill('no-such-course-xyz');
  await expect(main.getByText(`Yes: ${BRUNO} can`)).toBeHidden();
  await expect(ask).toBeDisabled();
  await course.fill('');
  await expect(ask).toBeEnabled();

  await page.getByLabel('What to check').selectOption('Who can do something');
  await page.getByLabel('Action').selectOption('create Zoom meetings');
  await ask.click();
  await expect(page.getByRole('region', { name: 'People who can' })).toContainText(ALMA);
  await looks(page, axe);

  await page.getByLabel('What to check').selectOption('Everything a person can do');
  await page.getByLabel('Person').fill(BRUNO);
  await ask.click();
  await expect(page.getByRole('list', { name: 'Tabs shown' })).toContainText('Section Enrollment');
  await looks(page, axe);
});

test('a change that would lock the person out is reported before saving, and two tabs do not overwrite each other', async ({
  page,
  context,
  signIn,
}) => {
  await signIn('alma.reyes', '/access');
  await page.getByRole('button', { name: `Open ${ALMA}` }).click();
  await dialog(page).getByRole('checkbox', { name: 'Access', exact: true }).uncheck();
  await dialog(page).getByRole('button', { name: 'Review the change' }).click();
  await expect(dialog(page)).toContainText('You cannot remove your own right to change access');
  await expect(dialog(page).getByRole('button', { name: 'Save access for 1 person' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  const other = await context.newPage();
  await other.goto('/access');
  for (const [tab, tool] of [
    [page, 'Search Users'],
    [other, 'SIS Import'],
  ] as const) {
    await tab.getByRole('button', { name: `Open ${BRUNO}` }).click();
    await dialog(tab).getByRole('checkbox', { name: tool }).check();
    await dialog(tab).getByRole('button', { name: 'Review the change' }).click();
    await expect(dialog(tab).getByRole('list', { name: 'Gains' })).toContainText(tool);
  }
  await dialog(page).getByRole('button', { name: 'Save access for 1 person' }).click();
  await expect(page.getByText('The access of 1 person was saved.')).toBeVisible();
  await dialog(other).getByRole('button', { name: 'Save access for 1 person' }).click();
  await expect(dialog(other).getByRole('alert')).toContainText(
    'has changed this record since this change was prepared',
  );
  await other.close();
});

test('several people are added and disabled together, and compared with the LMS', async ({
  page,
  signIn,
  axe,
}) => {
  test.slow();
  await signIn('alma.reyes', '/access');
  await page.getByRole('button', { name: 'Add people' }).click();
  await dialog(page).getByRole('button', { name: 'Review the change' }).click();
  await expect(dialog(page).getByRole('alert')).toHaveText('Enter at least one login.');
  await dialog(page).getByLabel('Logins').fill('ana@northbridge.example\nben@northbridge.example');
  await dialog(page).getByLabel('Copy access from').selectOption(BRUNO);
  await dialog(page).getByRole('button', { name: 'Review the change' }).click();
  await dialog(page).getByRole('button', { name: 'Save access for 2 people' }).click();
  await expect(page.getByText('The access of 2 people was saved.')).toBeVisible();
  for (const login of ['ana@northbridge.example', 'ben@northbridge.example'])
    await page.getByRole('checkbox', { name: `Select ${login}` }).check();
  await page.getByRole('button', { name: 'Change 2 people' }).click();
  await dialog(page).getByLabel('State').selectOption('Disable');
  await looks(page, axe);
  await dialog(page).getByRole('button', { name: 'Review the change' }).click();
  await expect(dialog(page).getByRole('list', { name: 'Loses' }).first()).toContainText('Course Enrollment');
  await dialog(page).getByRole('button', { name: 'Save access for 2 people' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'ana@northbridge.example' })).toContainText(
    'Disabled',
  );

  await part(page, 'LMS administrators');
  await expect(page.getByRole('region', { name: 'LMS administrators' })).toBeVisible();
  await expect(page.getByText(/accounts were compared/)).toBeVisible();
  await looks(page, axe);
});
