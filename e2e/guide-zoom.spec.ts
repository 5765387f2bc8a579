/** The guide's examples about Zoom; the pictures are taken along the way. */
import { next } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { EXAMPLES, example, picture, stepCard } from './support/guide.ts';
import {
  chooseHost,
  courseDialog,
  eventTable,
  lookUp,
  makeEvent,
  preview,
  publishDialog,
  quietCourse,
  rowOf,
  saveAndDone,
  select,
  ZOOM_PATH,
} from './support/zoom.ts';
import {
  adding,
  COMPLETED,
  confirm,
  field,
  queued,
  queueTab,
  PATH as RUN_PATH,
  shown,
} from './support/zoom-run.ts';

test.use(EXAMPLES);

test('guide, zoom-creation: two lectures get a host, and students get their links', async ({
  page,
  campus,
  signIn,
}) => {
  example('zoom-creation', ['Opening lecture', 'Case: Volkswagen', 'Hugo Tan', '2 of the 100']);
  const course = await quietCourse(campus, 2);
  for (const [index, title] of ['Opening lecture', 'Case: Volkswagen', 'Guest lecture'].entries())
    await makeEvent(campus, course.id, title, 2 + index);
  await signIn('alma.reyes', ZOOM_PATH);
  await lookUp(page, course);
  await select(page, 'Opening lecture', 'Case: Volkswagen');
  await courseDialog(page, course).getByRole('button', { name: 'Manage Zoom Links' }).click();
  await chooseHost(page, 'Hugo Tan');
  const form = publishDialog(page);
  await form.getByRole('switch', { name: 'Visibility', exact: true }).check();
  await preview(form);
  await expect(form).toContainText('Students will see the links of 2 events in the LMS.');
  await expect(form).toContainText('Hugo Tan: this uses 2 of the 100');
  await picture(page, 'zoom-creation-publish', form);
  await saveAndDone(form);
  await expect(rowOf(page, 'Case: Volkswagen')).toContainText('Published');
  await expect(rowOf(page, 'Guest lecture')).toContainText('Hidden');
  await page.setViewportSize({ width: 1_240, height: 1_000 });
  await picture(page, 'zoom-creation-events', eventTable(page));
});

test('guide, zoom-run: the links of one course are updated, and two courses are in the queue', async ({
  page,
  signIn,
}) => {
  example('zoom-run', ['1010', 'Business Law A FBL', '1015', '1022']);
  await signIn('alma.reyes', RUN_PATH);
  await field(page).fill('1010');
  await page.getByRole('radio', { name: '30 days' }).check();
  await next(page).click();
  await expect(confirm(page)).toBeEnabled();
  await expect(stepCard(page)).toContainText('Business Law A FBL');
  await picture(page, 'zoom-run-review', stepCard(page));
  await confirm(page).click();
  await expect(shown(page, COMPLETED)).toBeVisible();
  await page.getByRole('button', { name: 'Back to Home' }).click();

  await queueTab(page).click();
  await adding(page).fill('1015, 1022');
  await page.keyboard.press('Enter');
  await next(page).click();
  await confirm(page).click();
  await expect(shown(page, COMPLETED)).toBeVisible();
  await page.getByRole('button', { name: 'Back to Home' }).click();
  await queueTab(page).click();
  await expect(queued(page)).toHaveCount(2);
  await expect(stepCard(page)).toContainText('Game Theory A SGP');
  await picture(page, 'zoom-run-queue', stepCard(page));
});
