/**
 * Ease of use in Course Enrollment: how much is visible, and how few clicks and keys a large job needs
 * (requirements PICK, CE).
 */
import type { Locator, Page } from '@playwright/test';
import {
  chooseMany,
  chooseProgramme,
  coursesOf,
  courseTable,
  enrollmentsIn,
  field,
  MIM,
  mimMaterial,
  next,
  PATH,
  peopleLike,
  said,
  step,
  termLike,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';

test('PICK-05 SHELL-28 at 1440 × 900 the first step shows at least eight courses, and only the page scrolls', async ({
  page,
  campus,
  signIn,
}) => {
  const { term } = await mimMaterial(campus);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn('alma.reyes', PATH);
  await chooseProgramme(page, MIM.programme);
  await chooseMany(page, 'Terms', [term]);
  await expect(courseTable(page).getByRole('row').nth(9)).toBeVisible();
  const look = () =>
    courseTable(page).evaluate((table) => {
      const bar =
        document.querySelector('section[aria-label="Selected so far"]')?.getBoundingClientRect().top ?? 0;
      const head = table.querySelector('thead')?.getBoundingClientRect().bottom ?? 0;
      const rows = [...table.querySelectorAll('tbody tr.row')].map((row) => row.getBoundingClientRect());
      const region = table.parentElement;
      return {
        whole: rows.filter(({ top, bottom }) => top >= head - 1 && bottom <= bar + 1).length,
        scrollsAlone: region !== null && region.scrollHeight > region.clientHeight + 1,
      };
    });
  // While courses load, a line above them says so.
  await expect(async () => {
    const seen = await look();
    expect(seen.whole).toBeGreaterThanOrEqual(8);
    expect(seen.scrollsAlone).toBe(false);
  }).toPass();

  // The three choices are on one line.
  await expect(async () => {
    const tops = await Promise.all(
      ['Programme', 'Sub-accounts', 'Terms'].map(async (name) => {
        const box = await page.getByRole('combobox', { name, exact: true }).boundingBox();
        return box?.y ?? Number.NaN;
      }),
    );
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(8);
  }).toPass();

  // The column heads stay visible while the page scrolls.
  await courseTable(page).getByRole('row').last().scrollIntoViewIfNeeded();
  await expect(courseTable(page).getByRole('columnheader', { name: 'Course ID' })).toBeInViewport();
});

/** Counts presses in the page: mouse clicks, and keys except Shift, Control and other modifiers. */
async function countPresses(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const count = (event: Event) => {
      const alone = !(event instanceof KeyboardEvent) || !/^(Shift|Control|Alt|Meta)$/.test(event.key);
      if (event.isTrusted && alone)
        sessionStorage.setItem('presses', String(1 + Number(sessionStorage.getItem('presses') ?? 0)));
    };
    window.addEventListener('mousedown', count, { capture: true });
    window.addEventListener('keydown', count, { capture: true });
  });
}

/** Returns the number of presses since the last call. */
const presses = (page: Page) =>
  page.evaluate(() => {
    const count = Number(sessionStorage.getItem('presses') ?? 0);
    sessionStorage.removeItem('presses');
    return count;
  });

/** Pastes into the focused field. */
async function pasteInto(page: Page, field: Locator, text: string): Promise<void> {
  await page.evaluate((content) => navigator.clipboard.writeText(content), text);
  await field.click();
  await page.keyboard.press('ControlOrMeta+V');
}

/**
 * Does everything from another tool's tab to the submitted import, as a person does it for the first time.
 */
async function addByHand(
  page: Page,
  job: { programme: string; term: string; courses: string[]; people: string[] },
) {
  const { programme, term, courses, people } = job;
  await page.getByRole('link', { name: 'Course Enrollment', exact: true }).first().click();
  // No previous choice is offered before the first selection.
  await expect(page.getByRole('combobox', { name: 'Programme', exact: true })).toBeEnabled();
  await expect(page.getByRole('button', { name: /^Same as last time/ })).toHaveCount(0);

  await page.getByRole('combobox', { name: 'Programme', exact: true }).click();
  await page.getByRole('option', { name: programme, exact: true }).click();
  await page.getByRole('combobox', { name: 'Terms' }).click();
  await page.getByRole('option', { name: term, exact: true }).click();
  // Clicking the next field closes the list of terms.
  await pasteInto(page, page.getByRole('searchbox', { name: 'Search courses' }), courses.join('\r\n'));
  await page.getByRole('checkbox', { name: `Select all ${courses.length} found` }).click();
  await expect(sumLine(page)).toHaveText(`${courses.length} courses`);
  await next(page).click();
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Observer', exact: true }).click();
  await page.getByRole('radio', { name: 'Add' }).click();
  await pasteInto(page, field(page), people.join('\n'));
  await expect(sumLine(page)).toHaveText(`${courses.length} courses · ${people.length} people`);
  await next(page).click();
  await expect(page.getByRole('table', { name: 'Summary of the changes' })).toBeVisible({ timeout: 120_000 });
  await next(page).click();
  await expect(page.getByText('All done').first()).toBeVisible({ timeout: 120_000 });
}

test('CE-02 PICK-21 a programme that needs a sub-account takes no more presses if there is only one', async ({
  page,
  context,
  campus,
  signIn,
}) => {
  test.slow();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // The programme has no accounts below it.
  const term = await termLike(campus, 'ONLINE');
  const all = await coursesOf(campus, 222, term.id);
  const courses = all.flatMap((course) => course.sis_course_id ?? []).slice(0, 12);
  expect(courses).toHaveLength(12);
  const people = (await peopleLike(campus, 'northbridge')).slice(0, 294).map((person) => person.login_id);
  await countPresses(page);
  await signIn('alma.reyes', '/section-level-admin');
  await presses(page);
  await addByHand(page, { programme: 'Online Short Courses', term: term.name, courses, people });
  expect(await presses(page)).toBeLessThanOrEqual(16);
  const [course] = all;
  expect(await enrollmentsIn(campus, course?.id ?? 0, 7)).toHaveLength(people.length);

  // The only account below it is selected automatically and cannot be removed.
  await page.getByRole('button', { name: 'Back to Home' }).click();
  await chooseProgramme(page, 'Faculty and Staff Learning');
  await expect(said(page, 'The only sub-account in this programme.')).toBeVisible();
  const chosen = page.getByRole('main').locator('[data-item-index]');
  await expect(chosen).toHaveText(['Teaching Lab']);
  await expect(page.getByRole('combobox', { name: 'Sub-accounts' })).not.toBeEditable();
  // With two accounts there is a choice.
  await chooseProgramme(page, 'Company Specific Programmes');
  await expect(page.getByRole('combobox', { name: 'Sub-accounts' })).toBeEditable();
  await expect(chosen).toHaveCount(0);
});

test('CE-02 CE-09 CE-23 PICK-05 from the tab to the submitted import, twelve courses and 294 addresses take at most 16 presses, and a second change in the same courses takes ten', async ({
  page,
  context,
  campus,
  signIn,
}) => {
  test.slow();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { term, courses } = await mimMaterial(campus);
  const people = (await peopleLike(campus, 'northbridge')).slice(0, 294).map((person) => person.login_id);
  expect(people).toHaveLength(294);
  // Twelve rows scattered over the table, as in a list in a spreadsheet.
  const chosen = courses.filter((_, at) => at % 5 < 3).slice(0, 12);
  expect(chosen.length).toBe(12);
  await countPresses(page);
  await signIn('alma.reyes', '/section-level-admin');
  await presses(page);
  await addByHand(page, {
    programme: MIM.programme,
    term,
    courses: chosen.flatMap((course) => course.sis_course_id ?? []),
    people,
  });
  expect(await presses(page)).toBeLessThanOrEqual(16);

  // In a second change of the same courses, programme, terms, courses and role stay; people and action do
  // not.
  await page.getByRole('button', { name: 'Add or remove more people in these courses' }).click();
  await expect(step(page)).toHaveText('Roles and Users');
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveValue('Observer');
  // Adding again is the common case; removing has to be selected again.
  await expect(page.getByRole('radio', { name: 'Add' })).toBeChecked();
  await expect(page.getByRole('list', { name: /addresses/ })).toHaveCount(0);
  await expect(sumLine(page)).toHaveText('12 courses');
  await page.getByRole('radio', { name: 'Remove' }).click();
  await pasteInto(page, field(page), people.join('\n'));
  await next(page).click();
  await page.getByRole('button', { name: /^Remove [\d,]+ enrolments$/ }).click();
  await expect(page.getByRole('button', { name: 'Back to Home' })).toBeVisible({ timeout: 120_000 });
  expect(await presses(page)).toBeLessThanOrEqual(10);

  // The next time, programme and terms are offered to this administrator only, and applied with one press.
  await page.getByRole('button', { name: 'Back to Home' }).click();
  const offer = page.getByRole('button', { name: `Same as last time: ${MIM.programme} · ${term}` });
  await expect(offer).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Programme', exact: true })).toHaveValue('');
  await offer.click();
  await expect(page.getByRole('combobox', { name: 'Programme', exact: true })).toHaveValue(MIM.programme);
  await expect(page.getByRole('group', { name: 'Courses', exact: true }).first()).toBeFocused();
  await expect(courseTable(page).getByRole('row').nth(9)).toBeVisible();
  await expect(courseTable(page).getByRole('checkbox', { checked: true })).toHaveCount(0);
  await signIn('bruno.keller', PATH);
  await expect(page.getByRole('combobox', { name: 'Programme', exact: true })).toBeEnabled();
  await expect(page.getByRole('button', { name: /^Same as last time/ })).toHaveCount(0);
});

const sumLine = (page: Page) => page.getByRole('region', { name: 'Selected so far' }).getByRole('status');

test('PICK-05 a list pasted into the search finds each of its courses, and names the missing ones', async ({
  page,
  context,
  campus,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { term, courses } = await mimMaterial(campus);
  const [one, , two] = courses;
  await signIn('alma.reyes', PATH);
  await chooseProgramme(page, MIM.programme);
  await chooseMany(page, 'Terms', [term]);
  const search = page.getByRole('searchbox', { name: 'Search courses' });
  await pasteInto(
    page,
    search,
    `${one?.sis_course_id}\t${one?.name}\nNO-SUCH-COURSE\n${two?.sis_course_id}\n`,
  );
  await expect(page.getByText('Not found: NO-SUCH-COURSE')).toBeVisible();
  for (const course of [one, two])
    await expect(
      courseTable(page)
        .getByRole('row')
        .filter({ hasText: course?.sis_course_id ?? '?' }),
    ).toHaveCount(1);
  await search.press('Escape');
  await expect(courseTable(page).getByRole('row').nth(9)).toBeVisible();
});
