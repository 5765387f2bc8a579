/** Layout of SIS Import: each state in both schemes and as narrow as a phone, and its page in the guide. */
import { enrollmentsIn, next, peopleLike, step } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import { choose, csv, HEADER, mbaCourses, PATH, submit, toUpload } from './support/sis-import.ts';

test.use({ campusKind: 'slow' });
test.describe.configure({ timeout: 180_000 });

test('SIS-02 SIS-03 SIS-06 OP-54 each state fits in every scheme and width, without accessibility violations and without scrolling sideways', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [course] = (await mbaCourses(campus)).slice(2);
  const there = (await enrollmentsIn(campus, course?.id ?? 0)).filter((one) => one.sis_user_id !== null);
  const coming = (await peopleLike(campus, 'abbott')).slice(0, 6);
  const line = (who: string | null, status: string) => `${course?.sis_course_id},${who},3,,${status}`;
  const good = [
    ...coming.map((one) => line(one.sis_user_id, 'active')),
    ...there.slice(0, 2).map((one) => line(one.sis_user_id, 'deleted')),
  ];
  const look = async () => {
    await inEveryLook(page, async (name) => {
      expect(await sidewaysOverflow(page), name).toBeLessThanOrEqual(0);
      await axe();
    });
  };

  await signIn('alma.reyes', PATH);
  await expect(page.getByRole('table', { name: 'CSV templates' })).toBeVisible();
  await look();

  await toUpload(page);
  await choose(page, csv(`${'long-name-'.repeat(12)}.csv`, 'name,thing\n1,2'));
  await look();
  await choose(page, csv('changes.csv', [HEADER, ...good].join('\n')));
  await look();
  await next(page).click();
  await expect(submit(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'First rows: Enrollments' })).toBeVisible({
    timeout: 20_000,
  });
  await look();

  await page.getByRole('button', { name: 'Back', exact: true }).click();
  const wrong = [...good, line('', 'active'), line('7', 'aktiv'), line('8', 'aktiv')];
  await choose(page, csv('problems.csv', [HEADER, ...wrong].join('\n')));
  await next(page).click();
  await expect(page.getByRole('table', { name: 'Problems in the file' })).toBeVisible({ timeout: 20_000 });
  await look();

  await page.getByRole('button', { name: 'Back', exact: true }).click();
  const rows = coming.map((one) => `${one.sis_user_id};${one.login_id};${one.name};Spring`);
  await choose(page, csv('list.csv', ['PeopleSoft ID;E-mail;Name;Intake', ...rows].join('\n')));
  await next(page).click();
  await expect(page.getByRole('button', { name: 'Use these columns' })).toBeVisible({ timeout: 20_000 });
  await look();

  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await choose(page, csv('autumn.csv', [HEADER, ...good.slice(0, 4), line('9990001', 'active')].join('\n')));
  await next(page).click();
  await expect(submit(page)).toBeEnabled({ timeout: 20_000 });
  await submit(page).click();
  await expect(page.getByRole('table', { name: 'Messages for each row' })).toContainText('9990001', {
    timeout: 40_000,
  });
  await look();
  await page.getByRole('button', { name: 'Back to Home' }).click();
  await expect(step(page)).toHaveText('Select SIS Type');
});

test('SIS-03 OP-44 OP-54 the page in the guide is one click away, complete, and says that imports override manual changes', async ({
  page,
  context,
  signIn,
  axe,
}) => {
  await signIn('carla.singh', PATH);
  const [guide] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Guide to SIS Import' }).click(),
  ]);
  await expect(guide).toHaveURL(/\/guide\/sis-import\.html$/);
  await expect(guide.getByRole('heading', { level: 1, name: 'SIS Import' })).toBeVisible();
  await expect(guide.getByText('Every import overwrites')).toBeVisible();
  const broken = await guide.evaluate(async () => {
    const images = [...document.images];
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
    return images.filter((image) => image.naturalWidth === 0 || image.alt === '').map((image) => image.src);
  });
  expect(broken).toEqual([]);
  await inEveryLook(guide, async (name) => {
    expect(await sidewaysOverflow(guide), name).toBeLessThanOrEqual(0);
    await axe(guide);
  });
});
