/** The guide page of Section Enrollment, and its images, which are made here with `UPDATE_GUIDE_IMAGES=1`. */
import type { Page } from '@playwright/test';
import { chooseCourses, next, step } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import {
  assign,
  assignButton,
  assignDialog,
  coursesWithSections,
  inSection,
  openDialog,
  outsiders,
  pickCourses,
  SECTIONS_PATH,
  save,
  sisIdsOf,
  submitButton,
} from './support/section-enrollment.ts';

test.use({ campusKind: 'slow' });

const WIDTH = 1200;

/** The screen as high as told, nothing on it that moves; written only when the images are to be made anew. */
async function picture(page: Page, name: string, height: number): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.setViewportSize({ width: WIDTH, height });
  if (process.env.UPDATE_GUIDE_IMAGES === '1') {
    const path = `docs/guide/images/section-enrollment-${name}.png`;
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  }
}

test('SE-02 SHELL-26 SHELL-27 OP-15 the guide leads through the tool: whole, linked, with the real screens', async ({
  page,
  context,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  await page.setViewportSize({ width: WIDTH, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const all = await coursesWithSections(campus, { unnamed: true, least: 3 });
  const [one, other] = all;
  const unnamed = one?.sections.find(({ sis_section_id }) => sis_section_id === null);
  const named = one?.sections.find(({ sis_section_id }) => sis_section_id !== null);
  if (!one || !other || !unnamed || !named) throw new Error('too few sections');
  const { course } = one;
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course, other.course]);
  await openDialog(page, course);
  await assign(page, unnamed.name, {
    ids: [...sisIdsOf(await outsiders(campus, course.id)).slice(0, 5), 'PS-4711'],
  });
  await assign(page, named.name, {
    ids: sisIdsOf(await inSection(campus, course.id, named.id)).slice(0, 3),
    action: 'Remove',
  });
  await expect(assignDialog(page)).toContainText('5 found · 1 not found');
  await expect(assignDialog(page)).toContainText('3 found');
  await picture(page, 'dialog', 860);
  await save(page);
  // The table shorter, so that the list of the selected courses is in the picture, too.
  await page.getByRole('searchbox', { name: 'Search courses' }).fill(course.name.slice(0, 12));
  await chooseCourses(page, []);
  await page.getByRole('searchbox', { name: 'Search courses' }).fill(course.name.slice(0, 12));
  await expect(assignButton(page, course)).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 0));
  await picture(page, 'courses', 1_180);

  await next(page).click();
  await expect(step(page)).toHaveText('Review and Process');
  await expect(submitButton(page)).toBeEnabled({ timeout: 30_000 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await picture(page, 'review', 1_120);

  const [guide] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Guide' }).click(),
  ]);
  await expect(guide).toHaveURL(/\/guide\/section-enrollment\.html$/);
  await expect(guide.getByRole('heading', { level: 1, name: 'Section Enrollment' })).toBeVisible();
  const broken = await guide.evaluate(async () => {
    const images = [...document.images];
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
    return images.filter((image) => image.naturalWidth === 0 || image.alt === '').map((image) => image.src);
  });
  expect(broken).toEqual([]);
  await inEveryLook(guide, async (look) => {
    expect(await sidewaysOverflow(guide), look).toBeLessThanOrEqual(0);
    await axe(guide);
  });
  for (const link of await guide.getByRole('main').getByRole('link').all()) {
    const target = new URL((await link.getAttribute('href')) ?? '', guide.url()).href;
    expect((await guide.request.get(target)).status()).toBe(200);
  }
});
