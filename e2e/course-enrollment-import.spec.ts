/** Submitting once, and following the import to each of its outcomes (requirements IMP and LMS). */
import {
  fault,
  importsOf,
  MIM,
  mimMaterial,
  next,
  officeImport,
  PATH,
  said,
  step,
  toReview,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { duplicateOf } from './support/tabs.ts';

test.use({ campusKind: 'slow' });
test.describe.configure({ timeout: 120_000 });

test('IMP-01 IMP-04 IMP-05 IMP-06 IMP-07 IMP-09 IMP-11 IMP-12 IMP-19 IMP-20 LMS-11 LMS-12 OP-42 a double click and a reload submit once; the states appear in order', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await mimMaterial(campus);
  const submits: string[] = [];
  const polls: number[] = [];
  let inFlight = 0;
  let most = 0;
  page.on('request', (request) => {
    const body = request.postData() ?? '';
    if (body.includes('POST_SIS')) submits.push(body);
    if (!body.includes('sis_imports/')) return;
    polls.push(Date.now());
    inFlight++;
    most = Math.max(most, inFlight);
  });
  const settled = (request: { postData(): string | null }) => {
    if (request.postData()?.includes('sis_imports/')) inFlight--;
  };
  page.on('requestfinished', settled);
  page.on('requestfailed', settled);
  const before = await importsOf(campus);

  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(0, 3),
    people: people.slice(0, 5).map((person) => person.login_id),
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  await next(page).dblclick();
  await expect(step(page)).toHaveText('Progress');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^(10|40|70)$/);
  await axe();
  await expect(said(page, 'The request is currently processing.')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '70');
  expect(submits).toHaveLength(1);
  await page.reload();
  await expect(step(page)).toHaveText('Progress');
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
  expect(submits).toHaveLength(1);
  expect(most).toBe(1);
  expect(await importsOf(campus)).toBe(before + 1);
  // Polling stops at the end; one poll may still have been on its way.
  await expect(async () => {
    const asked = polls.length;
    await page.waitForTimeout(3_000);
    expect(polls.length).toBe(asked);
  }).toPass({ timeout: 60_000 });
});

test('OP-42 two tabs with the same review submit it once', async ({ page, campus, signIn }) => {
  const { term, courses, people } = await mimMaterial(campus);
  const before = await importsOf(campus);
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(3, 4),
    people: people.slice(5, 7).map((person) => person.login_id),
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  const twin = await duplicateOf(page);
  await twin.goto(PATH);
  await expect(step(twin)).toHaveText('Review and Process');
  await expect(next(twin)).toBeEnabled();
  await Promise.all([next(page).click(), next(twin).click()]);
  for (const one of [page, twin]) {
    await expect(said(one, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
  }
  expect(await importsOf(campus)).toBe(before + 1);
});

test('CE-24 IMP-01 IMP-15 IMP-18 OP-36 OP-37 OP-40 if some rows are rejected, the result has CSV error, attachment, counts, messages and advice', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await mimMaterial(campus);
  const [gone, stays] = people.slice(11, 13);
  if (!gone || !stays) throw new Error('too few people');
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(6, 7),
    people: [gone.login_id, stays.login_id],
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  // During the final comparison, before the import reaches the LMS, the records office gives one of the two another id.
  await fault(campus, {
    match: '/api/v1/accounts/1/sis_imports',
    method: 'POST',
    kind: 'latency',
    ms: 5_000,
    count: 1,
  });
  await next(page).click();
  const armed = async () =>
    ((await (await fetch(`${campus.lms}/sandbox/faults`)).json()) as { faults: unknown[] }).faults;
  await expect.poll(armed).toEqual([]);
  await officeImport(campus, `old_id,new_id,type\n${gone.sis_user_id},${gone.sis_user_id}-NEW,user`);
  const alert = page.getByRole('alert').filter({ hasText: 'CSV error' });
  await expect(alert).toBeVisible({ timeout: 60_000 });
  await expect(alert).toContainText(gone.sis_user_id ?? '');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0');
  const link = alert.getByRole('link', { name: 'Download Error Attachment' });
  // The address in the LMS would open without sign-in.
  await expect(link).toHaveAttribute('href', /^\/api\/imports\/[^/]+\/attachments\/errors$/);
  const file = page.waitForEvent('download');
  await link.click();
  expect((await file).suggestedFilename()).toMatch(/^sis-import-.+-errors\.csv$/);
  await expect(said(page, '1 of 2 rows were applied. The others were not.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Imported Items' })).toContainText('1');
  const table = page.getByRole('table', { name: 'Messages for each row' });
  await expect(table).toContainText(gone.sis_user_id ?? '');
  await axe();
  await page.reload();
  await expect(page.getByRole('alert').filter({ hasText: 'CSV error' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to Home' }).click();
  await expect(step(page)).toHaveText('Programme and Term');
});

test('IMP-16 IMP-17 OP-35 a failed import says so, and what to do', async ({ page, campus, signIn, axe }) => {
  const { term, courses, people } = await mimMaterial(campus);
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(7, 8),
    people: people.slice(13, 14).map((person) => person.login_id),
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  await fault(campus, { kind: 'import-fail', count: 1 });
  await next(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'CSV error' })).toBeVisible({ timeout: 60_000 });
  await expect(said(page, 'The import stopped.')).toBeVisible();
  await axe();
});

test('IMP-22 OP-39 failed polls are silent, then a hint appears; polling resumes automatically', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { term, courses, people } = await mimMaterial(campus);
  await signIn('alma.reyes', PATH);
  await toReview(page, {
    ...MIM,
    terms: [term],
    courses: courses.slice(8, 12),
    people: people.slice(14, 24).map((person) => person.login_id),
  });
  await expect(next(page)).toBeEnabled({ timeout: 30_000 });
  await page.route('**/api/auth/invoke', async (route) => {
    if (route.request().postData()?.includes('sis_imports/')) await route.abort();
    else await route.continue();
  });
  await next(page).click();
  await expect(said(page, 'Processing,Please wait..')).toBeVisible();
  // A step is done only when its import has ended.
  const last = page.getByRole('list', { name: 'Steps' }).getByRole('listitem').last();
  await expect(last).toHaveAttribute('aria-current', 'step');
  await expect(last).not.toContainText('done');
  await expect(said(page, 'The progress cannot be loaded at the moment.')).toBeVisible({ timeout: 40_000 });
  await axe();
  await page.unroute('**/api/auth/invoke');
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
});
