/** The page while the connection is lost, and while the LMS does not answer. */
import { sendFile } from './support/activity.ts';
import {
  PATH as COURSES,
  chooseMany,
  chooseProgramme,
  fault,
  MIM,
  mimMaterial,
  said,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';

test.describe.configure({ timeout: 120_000 });

test('OP-39 IMP-22 an import is polled as soon as the connection is back, however long the pauses have become', async ({
  page,
  context,
  signIn,
}) => {
  await page.clock.install();
  await signIn('alma.reyes', '/sis-import');
  await sendFile(page, 'offline.csv', 'OFFL', 3);
  await context.setOffline(true);
  await expect(said(page, 'The progress cannot be loaded at the moment.')).toBeVisible({ timeout: 60_000 });
  // From here on, time moves only in explicit steps: by far less than the pause.
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  let seen = false;
  page.on('response', (answer) => {
    const asked = answer.request().postData() ?? answer.url();
    seen ||= answer.ok() && /(sis_imports|jobs|imports)\/[0-9a-f-]{36}/.test(asked);
  });
  await context.setOffline(false);
  await expect(async () => {
    await page.clock.runFor(5);
    expect(seen).toBe(true);
  }).toPass({ timeout: 15_000 });
});

test('PICK-05 an LMS that does not answer is described as slow, instead of showing a count that does not change', async ({
  page,
  campus,
  signIn,
}) => {
  const { term } = await mimMaterial(campus);
  await signIn('alma.reyes', COURSES);
  const slow = await fault(campus, { match: '/api/v1/accounts/*/courses', kind: 'latency', ms: 25_000 });
  await chooseProgramme(page, MIM.programme);
  await chooseMany(page, 'Terms', [term]);
  await expect(page.getByRole('status').filter({ hasText: 'The LMS is slow to respond.' })).toBeVisible({
    timeout: 20_000,
  });
  await slow();
});
