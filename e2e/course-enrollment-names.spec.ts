/** Names beside the addresses as they are recognised, in the second step (requirements CE and OP-45). */
import type { Page } from '@playwright/test';
import {
  chip,
  chooseRole,
  fault,
  field,
  type LmsPerson,
  lmsList,
  next,
  officeImport,
  PATH,
  paste,
  peopleLike,
  said,
  step,
  toPeople,
} from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';

const LONG = 'firstname.von-longfamilyname-otherpart@campus.northbridge.example';
const NOBODY = 'nobody.at-all@northbridge.example';

const entry = (page: Page, email: string) =>
  page
    .getByRole('list', { name: /address(es)?$/ })
    .getByRole('listitem')
    .filter({ hasText: email });

/** Records the bodies of the lookups that the page requests from now on. */
function lookups(page: Page): string[][] {
  const asked: string[][] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/people/lookup')) return;
    asked.push((request.postDataJSON() as { emails: string[] }).emails);
  });
  return asked;
}

test('CE-09 CE-15 OP-45 each address gets the name of its person, or its problem, and nothing is blocked', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  await officeImport(
    campus,
    [
      'user_id,login_id,full_name,status',
      `PS-ZOE,zoe.oneill@northbridge.example,Zoë O’Neill–Łukasz,active`,
      `PS-NA,odd.name@northbridge.example,#N/A,active`,
      `PS-LONG,${LONG},Firstname Longfamilyname,active`,
    ].join('\n'),
  );
  const everybody = await lmsList<LmsPerson>(campus, 'accounts/1/users?search_term=northbridge');
  const without = everybody.find((one) => one.sis_user_id === null && one.login_id.includes('@'));
  if (!without) throw new Error('everybody has an SIS ID');
  await signIn('alma.reyes', PATH);
  await toPeople(page);
  const asked = lookups(page);
  await field(page).pressSequentially('zoe.oneill@northbridge.example,');
  await expect(entry(page, 'zoe.oneill')).toContainText('Zoë O’Neill–Łukasz');
  await expect(chip(page, 'zoe.oneill@northbridge.example')).toHaveAccessibleName(
    'Remove zoe.oneill@northbridge.example: Zoë O’Neill–Łukasz',
  );
  await paste(
    page,
    [
      'ZOE.ONEILL@northbridge.example',
      'odd.name@northbridge.example',
      LONG,
      LONG,
      NOBODY,
      without.login_id,
    ].join('\n'),
  );
  await expect(said(page, '3 found · 1 not found · 1 cannot be enrolled')).toBeVisible();
  await expect(entry(page, 'odd.name')).toContainText('#N/A');
  await expect(entry(page, NOBODY)).toContainText('Not found');
  await expect(entry(page, without.login_id)).toContainText(`${without.name}: no SIS ID`);
  await expect(page.locator('[aria-live=polite]').first()).toContainText(
    'Email addresses: 3 found · 1 not found · 1 cannot be enrolled.',
  );
  // Only new people were looked up, once each, and only after a change.
  expect(asked.map((emails) => emails.toSorted())).toEqual([
    ['zoe.oneill@northbridge.example'],
    ['odd.name@northbridge.example', LONG, NOBODY, without.login_id].toSorted(),
  ]);
  await axe();
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    // The whole address and the name are visible, even if long.
    await expect
      .poll(
        () =>
          entry(page, LONG).evaluate((element) =>
            [...element.querySelectorAll('span')]
              .filter(
                (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1,
              )
              .map((one) => one.textContent),
          ),
        { message: look },
      )
      .toEqual([]);
    await axe();
  });
  await chip(page, NOBODY).click();
  await expect(said(page, '3 found · 1 cannot be enrolled')).toBeVisible();

  // After a reload in the middle the names appear again; the review decides.
  await page.reload();
  await expect(entry(page, 'zoe.oneill')).toContainText('Zoë O’Neill–Łukasz');
  await chooseRole(page, 'Observer', 'Add');
  await next(page).click();
  await expect(step(page)).toHaveText('Review and Process');
  await expect(page.getByRole('alertdialog', { name: 'Users not found' })).toContainText(without.login_id);
});

test('CE-09 OP-48 a thousand addresses need few requests and stay editable; a silent LMS blocks no one', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const [person] = await peopleLike(campus, 'jensen');
  await signIn('alma.reyes', PATH);
  await toPeople(page);
  const asked = lookups(page);
  const slow = await fault(campus, { match: '/api/v1/accounts/1/users', kind: 'latency', ms: 30_000 });
  const many = Array.from({ length: 1_000 }, (_, index) => `p${index}@nowhere.northbridge.example`);
  await paste(page, [person?.login_id ?? '', ...many].join('\n'));
  await expect(said(page, 'Looking up 0 of 1,001')).toBeVisible();
  await expect.poll(() => asked.length).toBe(1);
  // An entry can be removed while it is looked up; it is then not looked up again.
  await chip(page, 'p0@nowhere.northbridge.example').click();
  await expect(page.getByRole('list', { name: '1,000 addresses' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove all' }).click();
  await slow();

  // The LMS or LMS Admin does not answer.
  await page.route('**/api/people/lookup', (route) => route.abort());
  await paste(page, person?.login_id ?? '');
  await expect(said(page, '1 could not be looked up')).toBeVisible();
  await expect(said(page, 'You can continue. The review looks these people up again.')).toBeVisible();
  await expect(entry(page, person?.login_id ?? '')).toHaveText(person?.login_id ?? '');
  await axe();
  await chooseRole(page, 'Observer', 'Add');
  await page.unroute('**/api/people/lookup');
  const before = asked.length;
  await page.getByRole('button', { name: 'Look up again for Email addresses' }).click();
  await expect(entry(page, person?.login_id ?? '')).toContainText(person?.name ?? '');
  expect(asked.length).toBe(before + 1);
  expect(Math.max(...asked.map((emails) => emails.length))).toBeLessThanOrEqual(500);
  await next(page).click();
  await expect(step(page)).toHaveText('Review and Process');
  await expect(next(page)).toBeEnabled();
});
