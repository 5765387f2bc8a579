/** Course Enrollment made easy: how much is in view, and how few presses a large job takes (areas PICK, CE). */
import type { Locator, Page } from '@playwright/test';
import {
  chooseMany,
  chooseProgramme,
  courseTable,
  field,
  MIM,
  mimMaterial,
  next,
  PATH,
  peopleLike,
  step,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';

test('PICK-05 SHELL-28 at 1440 × 900 the first step shows at least eight courses, in one scroll', async ({
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
        document.querySelector('section[aria-label="Chosen so far"]')?.getBoundingClientRect().top ?? 0;
      const head = table.querySelector('thead')?.getBoundingClientRect().bottom ?? 0;
      const rows = [...table.querySelectorAll('tbody tr.row')].map((row) => row.getBoundingClientRect());
      const region = table.parentElement;
      return {
        whole: rows.filter(({ top, bottom }) => top >= head - 1 && bottom <= bar + 1).length,
        scrollsAlone: region !== null && region.scrollHeight > region.clientHeight + 1,
      };
    });
  // Courses still arrive, and the line that says so stands above them as long.
  await expect(async () => {
    const seen = await look();
    expect(seen.whole).toBeGreaterThanOrEqual(8);
    expect(seen.scrollsAlone).toBe(false);
  }).toPass();

  // The three choices stand on one line.
  await expect(async () => {
    const tops = await Promise.all(
      ['Programme', 'Sub-accounts', 'Terms'].map(async (name) => {
        const box = await page.getByRole('combobox', { name, exact: true }).boundingBox();
        return box?.y ?? Number.NaN;
      }),
    );
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(8);
  }).toPass();

  // The heads stay in view where the page scrolls.
  await courseTable(page).getByRole('row').last().scrollIntoViewIfNeeded();
  await expect(courseTable(page).getByRole('columnheader', { name: 'Course ID' })).toBeInViewport();
});

/** Presses of the mouse, keys and pastes that a job takes, each counted once. */
class Presses {
  count = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator, modifiers: 'Shift'[] = []): Promise<void> {
    this.count++;
    await target.click({ modifiers });
  }

  async paste(text: string): Promise<void> {
    this.count++;
    await this.#page.evaluate((content) => navigator.clipboard.writeText(content), text);
    await this.#page.keyboard.press('ControlOrMeta+V');
  }
}

test('CE-02 CE-09 CE-23 PICK-05 twelve courses and 300 pasted addresses take at most 16 presses, another job in the same courses ten', async ({
  page,
  context,
  campus,
  signIn,
}) => {
  test.slow();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { term } = await mimMaterial(campus);
  const people = (await peopleLike(campus, 'northbridge')).slice(0, 300).map((person) => person.login_id);
  expect(people).toHaveLength(300);
  await signIn('alma.reyes', PATH);
  // Nothing is offered before anything was chosen.
  await expect(page.getByRole('combobox', { name: 'Programme', exact: true })).toBeEnabled();
  await expect(page.getByRole('button', { name: /^As last time/ })).toHaveCount(0);

  const first = new Presses(page);
  await first.click(page.getByRole('combobox', { name: 'Programme', exact: true }));
  await first.click(page.getByRole('option', { name: MIM.programme, exact: true }));
  await first.click(page.getByRole('combobox', { name: 'Terms' }));
  await first.click(page.getByRole('option', { name: term, exact: true }));
  await twelve(page, first);
  await first.click(next(page));
  await roleAndPeople(page, first, people);
  await toTheEnd(page, first);
  expect(first.count).toBeLessThanOrEqual(16);

  // In the same courses: programme, terms, courses and role stay, the people and what is done with them do not.
  const another = new Presses(page);
  await another.click(page.getByRole('button', { name: 'Do another in the same courses' }));
  await expect(step(page)).toHaveText('Roles and Users');
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveValue('Observer');
  // To add again is what most want; to remove would be said anew.
  await expect(page.getByRole('radio', { name: 'Add' })).toBeChecked();
  await expect(page.getByRole('list', { name: /addresses/ })).toHaveCount(0);
  await expect(sumLine(page)).toHaveText('12 courses');
  await another.click(page.getByRole('radio', { name: 'Remove' }));
  await another.click(field(page));
  await another.paste(people.join('\n'));
  await another.click(next(page));
  await another.click(page.getByRole('button', { name: /^Remove [\d,]+ enrolments$/ }));
  await expect(page.getByRole('button', { name: 'Back to Home' })).toBeVisible({ timeout: 120_000 });
  expect(another.count).toBeLessThanOrEqual(10);

  // Next time programme and terms are offered, to this admin only, and taken by a press.
  await page.getByRole('button', { name: 'Back to Home' }).click();
  const offer = page.getByRole('button', { name: `As last time: ${MIM.programme} · ${term}` });
  await expect(offer).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Programme', exact: true })).toHaveValue('');
  await offer.click();
  await expect(page.getByRole('combobox', { name: 'Programme', exact: true })).toHaveValue(MIM.programme);
  await expect(page.getByRole('group', { name: 'Courses', exact: true }).first()).toBeFocused();
  await expect(courseTable(page).getByRole('row').nth(9)).toBeVisible();
  await expect(courseTable(page).getByRole('checkbox', { checked: true })).toHaveCount(0);
  await signIn('bruno.keller', PATH);
  await expect(page.getByRole('combobox', { name: 'Programme', exact: true })).toBeEnabled();
  await expect(page.getByRole('button', { name: /^As last time/ })).toHaveCount(0);
});

const sumLine = (page: Page) => page.getByRole('region', { name: 'Chosen so far' }).getByRole('status');

/** The first twelve courses of the table. */
async function twelve(page: Page, presses: Presses): Promise<void> {
  const boxes = courseTable(page).locator('tbody').getByRole('checkbox');
  await expect(boxes.nth(11)).toBeVisible();
  await presses.click(boxes.first());
  await presses.click(boxes.nth(11), ['Shift']);
  await expect(sumLine(page)).toHaveText('12 courses');
}

async function roleAndPeople(page: Page, presses: Presses, people: readonly string[]): Promise<void> {
  await presses.click(page.getByRole('combobox', { name: 'Role' }));
  await presses.click(page.getByRole('option', { name: 'Observer', exact: true }));
  await presses.click(page.getByRole('radio', { name: 'Add' }));
  await presses.click(field(page));
  await presses.paste(people.join('\n'));
  await expect(sumLine(page)).toHaveText('12 courses · 300 people');
  await presses.click(next(page));
}

async function toTheEnd(page: Page, presses: Presses): Promise<void> {
  const table = page.getByRole('table', { name: 'Summary of the changes' });
  await expect(table).toBeVisible({ timeout: 120_000 });
  await presses.click(next(page));
  await expect(page.getByText('All done').first()).toBeVisible({ timeout: 120_000 });
}
