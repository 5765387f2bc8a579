/**
 * The first step: programmes, sub-accounts, terms and courses, across a reload (requirements PICK and SHELL).
 */
import {
  back,
  chip,
  chooseMany,
  chooseProgramme,
  chooseRole,
  coursesOf,
  courseTable,
  fault,
  next,
  PATH,
  paste,
  said,
  step,
  termLike,
  toPeople,
  warning,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';

test.beforeEach(async ({ signIn }) => signIn('alma.reyes', PATH));

test('PICK-01 PICK-24 PICK-25 ERR-01 SHELL-31 CE-03 step 0 reports what is missing, and focus goes to the field', async ({
  page,
  axe,
}) => {
  await expect(back(page)).toBeDisabled();
  await axe();
  const expectWarning = async (text: string, focused: string) => {
    await next(page).click();
    await expect(warning(page)).toContainText(text);
    await expect(warning(page).getByRole('button', { name: 'Ok' })).toBeFocused();
    await axe();
    await page.keyboard.press('Enter');
    await expect(warning(page)).toBeHidden();
    await expect(page.locator(`#${focused}`)).toBeFocused();
  };
  await expectWarning('Please select programme and the term', 'picker-programme');
  await chooseProgramme(page, 'Company Specific Programmes');
  await expectWarning('Please select programme and the term', 'picker-sub-accounts');
  await chooseMany(page, 'Sub-accounts', ['Energy Sector']);
  await expectWarning('Please select programme and the term', 'picker-terms');
  await page.getByRole('combobox', { name: 'Terms' }).click();
  await page.getByRole('listbox', { name: 'Terms' }).getByRole('option').first().click();
  await page.keyboard.press('Escape');
  await expectWarning('Please select courses to proceed next', 'picker-courses');
});

test('PICK-01 PICK-11 PICK-22 PICK-23 programmes and terms are grouped by first letter; the terms are those of the programme', async ({
  page,
  axe,
}) => {
  await page.getByRole('combobox', { name: 'Programme' }).click();
  const groups = page.getByRole('listbox', { name: 'Programme' }).getByRole('group');
  await expect(groups.getByRole('option')).not.toHaveCount(0);
  const letters = await groups.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  expect(letters).toEqual(letters.toSorted((a, b) => String(a).localeCompare(String(b))));
  await axe();
  await page.getByRole('option', { name: 'MIM', exact: true }).click();
  await page.getByRole('combobox', { name: 'Terms' }).click();
  const options = page.getByRole('listbox', { name: 'Terms' }).getByRole('option');
  await expect(options).not.toHaveCount(0);
  const terms = await options.allInnerTexts();
  expect(terms.every((term) => term.startsWith('MIM'))).toBe(true);
  await page.keyboard.press('Escape');
  await chooseProgramme(page, 'MBA');
  await page.getByRole('combobox', { name: 'Terms' }).click();
  await expect
    .poll(async () => new Set((await options.allInnerTexts()).map((term) => term.split(' ')[0])))
    .toEqual(new Set(['EMBA', 'MBA', 'PHD']));
  await axe();
});

test('CE-04 PICK-07 PICK-17 PICK-18 PICK-19 PICK-21 a programme from the settings is its own sub-account; changes clear dependent choices', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/invoke/pages')) asked.push(request.postData() ?? '');
  });
  await chooseProgramme(page, 'MBA');
  await expect(said(page, 'The only sub-account in this programme.')).toBeVisible();
  await expect.poll(() => asked.some((body) => body.includes('accounts/86/courses'))).toBe(true);
  await chooseMany(page, 'Terms', ['MBA 2026-27 P1']);
  await courseTable(page).getByRole('checkbox').nth(1).check();
  await expect(said(page, '1 course')).toBeVisible();

  await chooseProgramme(page, 'Company Specific Programmes');
  await expect(said(page, 'Nothing selected yet')).toBeVisible();
  await expect(said(page, 'Please select programme and correct term.')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Terms' })).toBeDisabled();
  await chooseMany(page, 'Sub-accounts', ['Energy Sector']);
  await page.getByRole('combobox', { name: 'Terms' }).click();
  await page.getByRole('listbox', { name: 'Terms' }).getByRole('option').first().click();
  await page.keyboard.press('Escape');
  const chosen = page.getByRole('main').locator('[data-item-index]');
  await expect(chosen).toHaveCount(2);
  await chooseMany(page, 'Sub-accounts', ['Financial Sector']);
  // Two sub-accounts, and the terms are cleared.
  await expect(chosen).toHaveText(['Energy Sector', 'Financial Sector']);
});

test('PICK-08 after another term is selected, the displayed number of courses matches the list', async ({
  page,
  campus,
}) => {
  await chooseProgramme(page, 'MBA');
  let count = 0;
  for (const period of ['P1', 'P2']) {
    const { id, name } = await termLike(campus, `MBA 2026-27 ${period}`);
    count += (await coursesOf(campus, 86, id)).filter((one) => one.sis_course_id !== null).length;
    await chooseMany(page, 'Terms', [name]);
    await expect(page.locator('[aria-live=polite]').first()).toHaveText(
      `All courses are loaded, ${count} in the chosen terms.`,
      { timeout: 30_000 },
    );
  }
});

test('PICK-07 PICK-11 text typed into the terms field stays while courses load', async ({ page }) => {
  let release = () => {};
  const typed = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/invoke/pages', async (route) => {
    if (route.request().postData()?.includes('/courses')) await typed;
    await route.continue();
  });
  await chooseProgramme(page, 'MBA');
  const progress = page.getByRole('progressbar', { name: 'courses loaded' });
  await expect(progress).toBeVisible();
  const terms = page.getByRole('combobox', { name: 'Terms' });
  await terms.click();
  await page.keyboard.type('2026-27 p1');
  const options = page.getByRole('listbox', { name: 'Terms' }).getByRole('option');
  await expect(options.first()).toHaveText(/2026-27 P1/);
  const offered = await options.allInnerTexts();
  release();
  await expect(progress).toBeHidden();
  await expect(terms).toHaveValue('2026-27 p1');
  await expect(options).toHaveText(offered);
});

test('PICK-02 PICK-09 PICK-10 sub-accounts at every depth, deeper ones with the name of the account above', async ({
  page,
}) => {
  await chooseProgramme(page, 'Open Enrolment Programmes');
  await page.getByRole('combobox', { name: 'Sub-accounts' }).click();
  const options = page.getByRole('listbox', { name: 'Sub-accounts' }).getByRole('option');
  await expect(options).toHaveText(['Leadership', /^Women in Leadership\s*Leadership$/]);
});

test('PICK-03 PICK-04 K-05 after ten terms the others are disabled', async ({ page, axe }) => {
  await chooseProgramme(page, 'MBA');
  await page.getByRole('combobox', { name: 'Terms' }).click();
  const options = page.getByRole('listbox', { name: 'Terms' }).getByRole('option');
  for (let index = 0; index < 10; index++) await options.nth(index).click();
  await expect(options.nth(10)).toHaveAttribute('aria-disabled', 'true');
  await expect(options.nth(0)).toHaveAttribute('aria-disabled', 'false');
  await expect(said(page, 'You have chosen 10, which is the maximum.')).toBeVisible();
  await axe();
});

test('PICK-05 PICK-06 PICK-08 K-03 the table of courses has its columns, links, page sizes, search and selection', async ({
  page,
  campus,
  axe,
}) => {
  await chooseProgramme(page, 'MBA');
  await chooseMany(page, 'Terms', ['MBA 2026-27 P1', 'MBA 2026-27 P2']);
  const heads = await courseTable(page).getByRole('columnheader').allInnerTexts();
  expect(heads.map((head) => head.trim()).filter(Boolean)).toEqual([
    'Course ID',
    'Term',
    'Campus',
    'Course Name',
  ]);
  const size = page.getByRole('combobox', { name: 'Rows per page' });
  await expect(size).toHaveValue('25');
  await expect(size.getByRole('option')).toHaveText(['25', '50', '100']);
  const link = courseTable(page).getByRole('link').first();
  await expect(link).toHaveAttribute('href', new RegExp(`^${campus.lms}/courses/\\d+$`));
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', /noopener/);
  for (const text of await courseTable(page).getByRole('link').allInnerTexts())
    expect(text.trim()).not.toBe('');
  await page.getByRole('searchbox', { name: 'Search courses' }).fill('SGP');
  await courseTable(page).getByRole('checkbox').nth(1).check();
  await page.getByRole('searchbox', { name: 'Search courses' }).fill('');
  await expect(said(page, '1 course')).toBeVisible();
  await axe();
});

test('PICK-05 PICK-16 while courses load, Select all is disabled, because it would select only the loaded ones', async ({
  page,
  campus,
}) => {
  // A term is selected first, so that rows appear with the first page.
  await chooseProgramme(page, 'MBA');
  await chooseMany(page, 'Terms', ['MBA 2026-27 P1']);
  await expect(courseTable(page).getByRole('link').first()).toBeVisible();
  // The second page arrives late, whether pages are requested one by one or all at once.
  const late = { match: '/api/v1/accounts/86/courses?*&page=2*', kind: 'latency', ms: 5_000 };
  const clear = await fault(campus, late);
  await page.reload();
  const all = courseTable(page).getByRole('checkbox', {
    name: 'Select all (available when all rows are loaded)',
  });
  await expect(courseTable(page).getByRole('link').first()).toBeVisible();
  await expect(all).toBeDisabled();
  await clear();
  const ready = courseTable(page).getByRole('checkbox', { name: 'Select all', exact: true });
  await expect(ready).toBeEnabled({ timeout: 20_000 });
  await ready.check();
  const rows = await courseTable(page).getByRole('link').count();
  await expect(said(page, `${rows} courses`)).toBeVisible();
});

test('PICK-16 a list that breaks off says so and resumes where it stopped', async ({ page, campus, axe }) => {
  const clear = await fault(campus, { match: '/api/v1/accounts/86/courses', kind: 'status', status: 500 });
  await chooseProgramme(page, 'MBA');
  const alert = page.getByRole('alert').filter({ hasText: 'The courses of MBA could not be loaded' });
  await expect(alert).toBeVisible({ timeout: 40_000 });
  await axe();
  await clear();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await chooseMany(page, 'Terms', ['MBA 2026-27 P1']);
  await expect(courseTable(page).getByRole('link').first()).toBeVisible();
  await expect(alert).toBeHidden();
});

test('SHELL-25 SHELL-33 OP-20 a reload in the middle loses nothing; selecting the tab clears the courses and keeps the people', async ({
  page,
  axe,
}) => {
  await toPeople(page);
  await chooseRole(page, 'Student', 'Remove');
  await paste(page, 'a@northbridge.example, b@northbridge.example');
  await page.reload();
  await expect(step(page)).toHaveText('Roles and Users');
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveValue('Student');
  await expect(page.getByRole('radio', { name: 'Remove' })).toBeChecked();
  await expect(chip(page, 'b@northbridge.example')).toBeVisible();
  await expect(said(page, '1 course · 2 people')).toBeVisible();
  await back(page).click();
  await expect(page.getByRole('combobox', { name: 'Programme' })).toHaveValue('MBA');
  await expect(courseTable(page).getByRole('checkbox', { checked: true })).not.toHaveCount(0);
  await page
    .getByRole('navigation', { name: 'Tools' })
    .getByRole('link', { name: 'Course Enrollment' })
    .click();
  await expect(page.getByRole('combobox', { name: 'Programme' })).toHaveValue('');
  await expect(said(page, '1 course')).toHaveCount(0);
  await axe();
  // One click restores the choices, together with the typed people.
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('combobox', { name: 'Programme' })).toHaveValue('MBA');
  await expect(said(page, '1 course · 2 people')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Restore' })).toBeHidden();

  // Without that click the people are still there, even after another tool was used and after a reload.
  const tools = page.getByRole('navigation', { name: 'Tools' });
  await tools.getByRole('link', { name: 'SIS Import' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('SIS Import');
  await tools.getByRole('link', { name: 'Course Enrollment' }).click();
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Programme' })).toHaveValue('');
  await toPeople(page);
  await expect(chip(page, 'a@northbridge.example')).toBeVisible();
  await expect(chip(page, 'b@northbridge.example')).toBeVisible();
});

for (const [name, viewport, colorScheme] of [
  ['narrow and light', { width: 390, height: 844 }, 'light'],
  ['wide and dark', { width: 1440, height: 900 }, 'dark'],
] as const) {
  test(`SHELL-28 ${name}: both steps fit, and the action bar stays visible`, async ({ page, axe }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await toPeople(page);
    await paste(page, Array.from({ length: 40 }, (_, index) => `p${index}@northbridge.example`).join(' '));
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await sideways()).toBe(0);
    await expect(next(page)).toBeInViewport();
    await axe();
    await back(page).click();
    expect(await sideways()).toBe(0);
    await expect(next(page)).toBeInViewport();
    await axe();
  });
}
