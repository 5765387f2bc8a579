/**
 * The guide of the console: its pages, and the images in them and in the README, which are made here. With
 * `UPDATE_GUIDE_IMAGES=1` they are written to `docs`; otherwise only the pages are checked.
 */
import { TOOLS } from '@lms-admin/contract/tools';
import {
  chooseCourses,
  chooseMany,
  chooseProgramme,
  chooseRole,
  coursesOf,
  enrollmentsIn,
  field,
  next,
  PATH,
  paste,
  peopleLike,
  step,
  termLike,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { picture, WRITE } from './support/guide.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

const GUIDE = '/guide/course-enrollment.html';
const OVERVIEW = '/guide/index.html';
const IMAGES = 'docs/guide/images/course-enrollment';
const README_IMAGE = 'docs/images/review.png';

test.use({ campusKind: 'slow' });

test('SHELL-26 OP-15 the Guide button leads to pages of our own: whole, linked, and without violations', async ({
  page,
  context,
  signIn,
  axe,
}) => {
  test.slow();
  await signIn('alma.reyes', PATH);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Guide' }).click();
  const guide = await opened;
  await expect(guide).toHaveURL(new RegExp(`${GUIDE}$`));
  for (const path of [GUIDE, OVERVIEW]) {
    const answer = await guide.goto(path);
    expect(answer?.status()).toBe(200);
    await expect(guide.getByRole('heading', { level: 1 })).toHaveCount(1);
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
    const links = await guide.getByRole('main').getByRole('link').all();
    for (const link of links) {
      const target = await guide.request.get(
        new URL((await link.getAttribute('href')) ?? '', guide.url()).href,
      );
      expect(target.status()).toBe(200);
    }
  }
});

test('SHELL-26 the guide answers at its folder too, and leads back to the console', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', PATH);
  for (const path of ['/guide', '/guide/', '/guide/?from=mail']) {
    await page.goto(path);
    await expect(page).toHaveURL(new RegExp(`${OVERVIEW}$`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await page.getByRole('link', { name: 'To LMS Admin' }).click();
  await expect(page.getByRole('navigation', { name: 'Tools' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${OVERVIEW}$`));
});

test('SHELL-27 every screen leads to its page of the guide, with the button or without', async ({
  page,
  signIn,
}) => {
  await signIn('alma.reyes', '/sis-import');
  for (const { path, id } of TOOLS) {
    if (path === null) continue;
    await page.goto(path);
    const help = page.getByRole('link', { name: 'Help with this page' });
    await expect(help, id).toHaveAttribute('href', /^\/guide\/(?!index)[\w-]+\.html$/);
    const answer = await page.request.get((await help.getAttribute('href')) ?? '');
    expect(answer.status(), id).toBe(200);
  }
});

// Defined only when it is asked for: a test that is skipped looks like one that is broken.
if (WRITE) {
  test('CE-02 CE-12 the images of the guide', async ({ page, campus, signIn }) => {
    test.slow();
    await page.setViewportSize({ width: 1200, height: 900 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    const terms = ['MBA 2026-27 P1', 'MBA 2026-27 P2'];
    const { id } = await termLike(campus, terms[0] ?? '');
    const courses = (await coursesOf(campus, 86, id)).filter((one) => one.sis_course_id !== null).slice(0, 3);
    const there = (await enrollmentsIn(campus, courses[0]?.id ?? 0)).filter((one) => one.sis_user_id);
    const people = [
      ...there.slice(0, 3).map((one) => one.user.login_id),
      ...(await peopleLike(campus, 'abbott')).slice(0, 8).map((person) => person.login_id),
      'visiting.scholar@northbridge.example',
    ];

    await signIn('alma.reyes', PATH);
    await chooseProgramme(page, 'MBA');
    await chooseMany(page, 'Terms', terms);
    await chooseCourses(page, courses);
    await page.getByRole('combobox', { name: 'Rows per page' }).waitFor();
    await picture(page, `${IMAGES}-courses.png`);

    await next(page).click();
    await chooseRole(page, 'Student', 'Add');
    await paste(page, people.join('\n'));
    await expect(field(page)).toHaveValue('');
    await picture(page, `${IMAGES}-people.png`);

    await next(page).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(step(page)).toHaveText('Review and Process');
    await picture(page, `${IMAGES}-review.png`, README_IMAGE);
  });
}
