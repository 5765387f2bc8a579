/**
 * Layout of Course Enrollment: nothing is covered or cut off, and later steps are available (requirements CE,
 * SHELL, PICK).
 */
import {
  back,
  chip,
  chooseMany,
  chooseProgramme,
  courseTable,
  field,
  MIM,
  mimMaterial,
  next,
  PATH,
  paste,
  step,
  summaryOf,
  toPeople,
  toReview,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

const LONG = 'somebody.with.quite.a.long.name.and.a.longer.school@department.of.northbridge.example';

test('SHELL-26 the Guide button floats beside the column, or is next to the title, but never covers content', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  const guide = page.getByRole('link', { name: 'Guide' });
  const main = page.getByRole('main');
  await expect(guide).toBeVisible();
  await expect(step(page)).toBeVisible();
  for (const width of [1440, 1200, 1000, 390]) {
    await page.setViewportSize({ width, height: 844 });
    // The three are measured one after another, and the layout may change in between.
    await expect(async () => {
      const [button, work, title] = await Promise.all([
        guide.boundingBox(),
        main.locator('[data-wizard]').boundingBox(),
        page.getByRole('heading', { level: 1 }).boundingBox(),
      ]);
      if (!button || !work || !title) throw new Error('nothing to measure');
      const beside = button.x >= work.x + work.width;
      const inTitle =
        button.y + button.height <= title.y + title.height + 16 && button.x + button.width <= width;
      expect(beside || inTitle, `at ${width}`).toBe(true);
    }).toPass();
    expect(await guide.evaluate((link) => getComputedStyle(link).borderRadius)).toBe('50%');
  }
});

test('PICK-06 the course id is copied with one click, which does not select the row', async ({
  page,
  campus,
  signIn,
}) => {
  const { term, courses } = await mimMaterial(campus);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn('alma.reyes', PATH);
  await chooseProgramme(page, MIM.programme);
  await chooseMany(page, 'Terms', [term]);
  const id = courses[0]?.sis_course_id ?? '';
  const row = courseTable(page).getByRole('row').filter({ hasText: id });
  await row.hover();
  await row.getByRole('button', { name: `Copy Course ID ${id}` }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id);
  await expect(row.getByRole('checkbox')).not.toBeChecked();
  // With the keyboard, Tab stops only at the copy button of the focused row.
  await expect(courseTable(page).locator('button.copy[tabindex="0"]')).toHaveCount(1);
});

test('CE-02 the next step opens immediately, even if the connection has just been lost', async ({
  page,
  campus,
  signIn,
  context,
}) => {
  const { term, courses } = await mimMaterial(campus);
  const scripts: string[] = [];
  page.on('requestfinished', (request) => scripts.push(new URL(request.url()).pathname));
  await signIn('alma.reyes', PATH);
  await chooseProgramme(page, MIM.programme);
  await chooseMany(page, 'Terms', [term]);
  await courseTable(page)
    .getByRole('checkbox', { name: new RegExp(courses[0]?.sis_course_id ?? '') })
    .check();
  // The view after submitting is in the script that reviews share.
  const later = /\/(PeopleStep|ReviewStep|review)-/;
  await expect.poll(() => scripts.filter((path) => later.test(path)).length).toBe(3);
  await context.setOffline(true);
  await next(page).click();
  await expect(step(page)).toBeFocused();
  await expect(field(page)).toBeVisible();
});

test("CE-03 the browser's Back goes step by step, and the entries stay", async ({ page, signIn }) => {
  await signIn('alma.reyes', PATH);
  await toPeople(page);
  await paste(page, 'nobody.at.all@northbridge.example');
  await page.goBack();
  await expect(step(page)).toHaveText('Programme and Term');
  await expect(courseTable(page).getByRole('checkbox', { checked: true })).toHaveCount(1);
  await next(page).click();
  await expect(step(page)).toHaveText('Roles and Users');
  await expect(chip(page, 'nobody.at.all@northbridge.example')).toBeVisible();
  // The screen's own Back button removes the history entry, so that the browser's Back button always has an
  // effect.
  await back(page).click();
  await expect(step(page)).toBeFocused();
  await expect(step(page)).toHaveText('Programme and Term');
  await next(page).click();
  await page.reload();
  await expect(step(page)).toHaveText('Roles and Users');
  await page.goBack();
  await expect(step(page)).toHaveText('Programme and Term');
  await expect(page).toHaveURL(new RegExp(`${PATH}$`));
});

test('CE-12 CE-15 CE-16 names and addresses in the review are readable, and its table fits the column', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  const { term, courses, people } = await mimMaterial(campus);
  const longest = [...courses].sort((a, b) => b.name.length - a.name.length).slice(0, 2);
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: longest,
    people: [people[0]?.login_id ?? '', LONG],
  });
  const dialog = page.getByRole('alertdialog', { name: 'Users not found' });
  const address = dialog.getByText(LONG);
  await expect(address).toBeVisible();
  const cut = (element: Element) => element.scrollWidth > element.clientWidth;
  await inEveryLook(page, async (look) => {
    expect(await address.evaluate(cut), look).toBe(false);
    await axe();
  });
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toBeHidden();
  const chip = page.getByRole('region', { name: /^User Not Found/ }).getByText(LONG);
  const name = page
    .getByRole('table', { name: 'Summary of the changes' })
    .getByText(longest[0]?.name ?? '', { exact: true });
  await inEveryLook(page, async (look) => {
    expect(await chip.evaluate(cut), look).toBe(false);
    expect(await name.evaluate(cut), look).toBe(false);
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });
  const region = page.getByRole('region', { name: 'Summary of the changes' });
  expect(await region.evaluate(cut)).toBe(false);
  expect(await summaryOf(page, longest[0]?.name ?? '')).toMatchObject({ 'Enroll Count': '1' });
});

test('SHELL-28 at 390 px the summary in the action bar breaks lines only between its parts', async ({
  page,
  campus,
  signIn,
}) => {
  const { term, courses, people } = await mimMaterial(campus);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn('alma.reyes', PATH);
  await chooseProgramme(page, MIM.programme);
  await chooseMany(page, 'Terms', [term]);
  await courseTable(page)
    .getByRole('checkbox', { name: new RegExp(courses[0]?.sis_course_id ?? '') })
    .check();
  await next(page).click();
  await paste(
    page,
    people
      .slice(0, 12)
      .map((person) => person.login_id)
      .join('\n'),
  );
  const sum = page.getByRole('region', { name: 'Selected so far' }).getByRole('status');
  await expect(sum).toHaveText('1 course · 12 people');
  expect(await sum.evaluate((element) => element.getBoundingClientRect().height)).toBeLessThanOrEqual(24);
});
