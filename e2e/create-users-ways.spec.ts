/** Ways into Create Users, and what survives a reload (requirements CU, CE, SHELL). */
import type { Page } from '@playwright/test';
import {
  fault,
  MIM,
  mimMaterial,
  next,
  officeImport,
  said,
  step,
  toReview,
} from './support/course-enrollment.ts';
import {
  asCells,
  fillRow,
  inLms,
  input,
  newcomers,
  noteOf,
  PATH,
  pasteInto,
  SCHOOL,
  submitButton,
} from './support/create-users.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook, sidewaysOverflow } from './support/looks.ts';
import type { Campus } from './support/processes.ts';

test.use({ campusKind: 'slow' });

const missingPeople = [`visiting.scholar.1@${SCHOOL}`, `Visiting.Scholar.2@${SCHOOL}`];

async function toUnknownPeople(page: Page, campus: Campus, role: string, unknown = missingPeople) {
  const { term, courses, people } = await mimMaterial(campus);
  await toReview(page, {
    ...MIM,
    role,
    terms: [term],
    courses: courses.slice(0, 1),
    people: [people[0]?.login_id ?? '', ...unknown],
  });
  return page.getByRole('alertdialog', { name: 'Users not found' });
}

test('CU-01 CE-15 CE-16 one click brings over the people that Course Enrollment could not find', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  test.slow();
  await signIn('alma.reyes', '/course-level-admin');
  const dialog = await toUnknownPeople(page, campus, MIM.role);
  await expect(dialog.getByRole('button', { name: 'Create these users' })).toBeVisible();
  await inEveryLook(page, async (look) => {
    expect(await sidewaysOverflow(page), look).toBeLessThanOrEqual(0);
    await axe();
  });
  await dialog.getByRole('button', { name: 'Create these users' }).click();
  await expect(page).toHaveURL(`${campus.url}${PATH}`);
  await expect(input(page, 'Email', 1)).toHaveValue(missingPeople[0] ?? '');
  await expect(input(page, 'Email', 2)).toHaveValue((missingPeople[1] ?? '').toLowerCase());
  await expect(input(page, 'Email', 3)).toHaveCount(0);
  // The people are brought over once: a reload keeps the rows and adds none.
  await page.reload();
  await expect(input(page, 'Email', 2)).toHaveValue((missingPeople[1] ?? '').toLowerCase());
  await expect(input(page, 'Email', 3)).toHaveCount(0);

  // The other tool still has its entries, and the notice in the review leads here as well.
  await page.goBack();
  await expect(dialog).toBeVisible({ timeout: 30_000 });
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page
    .getByRole('region', { name: /^User Not Found/ })
    .getByRole('button', { name: 'Create these users' })
    .click();
  await expect(page).toHaveURL(`${campus.url}${PATH}`);
  await expect(input(page, 'Email', 2)).toBeVisible();
  await expect(input(page, 'Email', 3)).toHaveCount(0);
});

test('CE-15 CE-16 CU-01 people created in the meantime are found and enrolled when the review is opened again', async ({
  page,
  campus,
  signIn,
}) => {
  test.slow();
  const [first, second] = newcomers(655_000, 2);
  if (!first || !second) throw new Error('too few');
  const create = (one: typeof first) =>
    officeImport(
      campus,
      `user_id,login_id,first_name,last_name,email,status\n${one.psID},${one.email},New,Comer,${one.email},active`,
    );
  await signIn('alma.reyes', '/course-level-admin');
  const dialog = await toUnknownPeople(page, campus, MIM.role, [first.email, second.email]);
  await expect(dialog).toContainText('2 of 3 addresses');
  await dialog.getByRole('button', { name: 'Create these users' }).click();
  await expect(input(page, 'Email', 2)).toBeVisible();
  await create(first);

  // Opened again from the other tool.
  await page.goBack();
  await expect(dialog).toContainText('1 of 3 addresses', { timeout: 30_000 });
  await expect(dialog).not.toContainText(first.email);
  // Opened again with the button in the review.
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page
    .getByRole('region', { name: /^User Not Found/ })
    .getByRole('button', { name: 'Look up again' })
    .click();
  await expect(dialog).toContainText('1 of 3 addresses', { timeout: 30_000 });
  // Opened again with Back and Next.
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(step(page)).toHaveText('Roles and Users');
  await create(second);
  await next(page).click();
  await expect(page.getByRole('main')).toContainText('3 people as Observer', { timeout: 30_000 });
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('region', { name: /^User Not Found/ })).toBeHidden();
});

test('PERM-05 without the flag no one is offered the other tool, or finds its screen', async ({
  page,
  campus,
  signIn,
}) => {
  await signIn('bruno.keller', '/course-level-admin');
  const dialog = await toUnknownPeople(page, campus, 'Student');
  await expect(dialog).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create these users' })).toHaveCount(0);
  await page.goto(PATH);
  await expect(page.getByText('404 page not found.', { exact: true })).toBeVisible();
});

test('CU-02 CU-08 IMP-19 IMP-21 OP-42 a reload in the middle loses nothing, and sends nothing twice', async ({
  page,
  campus,
  signIn,
}) => {
  const people = newcomers(650_000, 3);
  const submits: string[] = [];
  const looks: string[] = [];
  page.on('request', (request) => {
    const body = request.postData() ?? '';
    if (body.includes('POST_SIS')) submits.push(body);
    if (/"GET"/.test(body) && body.includes('accounts/1/sis_imports/')) looks.push(body);
  });
  await signIn('alma.reyes', PATH);
  await pasteInto(page, 'PeopleSoft ID', 1, asCells(people));
  await expect(input(page, 'PeopleSoft ID', 3)).toHaveValue(people[2]?.psID ?? '');
  await page.reload();
  await expect(input(page, 'PeopleSoft ID', 3)).toHaveValue(people[2]?.psID ?? '');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(input(page, 'PeopleSoft ID', 2)).toHaveCount(0);
  await pasteInto(page, 'PeopleSoft ID', 1, asCells(people));
  await next(page).click();
  await expect(step(page)).toHaveText('Final Review');
  await page.reload();
  await expect(step(page)).toHaveText('Final Review');
  // The browser's own Back goes to the previous step.
  await page.goBack();
  await expect(step(page)).toHaveText('User Information');
  await next(page).click();
  await expect(submitButton(page)).toBeEnabled();
  const slow = await fault(campus, { match: '/api/v1/accounts/1/sis_imports*', kind: 'latency', ms: 1_500 });
  await submitButton(page).dblclick();
  await expect(step(page)).toHaveText('Submit and Status');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^(10|40|70)$/);
  await page.reload();
  await expect(step(page)).toHaveText('Submit and Status');
  await slow();
  await expect(said(page, 'The request has completed successfully.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('definition')).toHaveText('3');
  for (const { psID } of people) expect(await inLms(campus, psID)).not.toBeNull();
  await page.reload();
  await expect(said(page, '3 of 3 people created.')).toBeVisible({ timeout: 30_000 });
  const keys = new Set(submits.map((body) => JSON.parse(body).payload.key));
  expect(keys.size).toBe(1);
  // Followed with the status call that all tools share, under this tool's name.
  expect(looks.length).toBeGreaterThan(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Create Users' })).toBeVisible();
});

test('CU-17 IMP-19 a person created in the meantime is named by the row of the form', async ({
  page,
  campus,
  signIn,
}) => {
  const people = newcomers(653_000, 3);
  const [, , third] = people;
  await signIn('alma.reyes', PATH);
  await pasteInto(page, 'PeopleSoft ID', 1, asCells(people));
  await next(page).click();
  await expect(step(page)).toHaveText('Final Review');
  await expect(submitButton(page)).toBeEnabled();
  const { psID = '', email = '', firstName = '', lastName = '' } = third ?? {};
  await officeImport(
    campus,
    `user_id,login_id,first_name,last_name,email,status\n${psID},${email},${firstName},${lastName},${email},active`,
  );
  await submitButton(page).click();
  const refused = page.getByRole('alert').filter({ hasText: 'Nothing has been sent.' });
  await expect(refused.getByRole('listitem').first()).toHaveText(new RegExp(`^Row 3: .*${psID}`));
  await expect(refused).not.toContainText('Row 4');
  for (const one of people.slice(0, 2)) expect(await inLms(campus, one.psID)).toBeNull();
});

test("CU-22 OP-55 a deleted person's id is recognised, with advice, before anything is submitted", async ({
  page,
  campus,
  signIn,
}) => {
  let gone: { name: string; sis_user_ids?: string } | undefined;
  for (let number = 1; gone === undefined; number++) {
    const list = await fetch(
      `${campus.lms}/api/v1/accounts/1/users?include_deleted_users=true&per_page=100&page=${number}`,
      { headers: { authorization: 'Bearer sandbox-admin-token' } },
    );
    const people = (await list.json()) as {
      name: string;
      sis_user_id: string | null;
      sis_user_ids?: string;
    }[];
    if (people.length === 0) throw new Error('the campus has nobody who was deleted');
    gone = people.find((one) => one.sis_user_id === null && /^\d+$/.test(one.sis_user_ids ?? ''));
  }
  const [one] = newcomers(619_000, 1);
  if (!one) throw new Error('nobody');
  await signIn('alma.reyes', PATH);
  await fillRow(page, 1, { ...one, psID: gone.sis_user_ids ?? '' });
  await expect
    .poll(() => noteOf(page, 'PeopleSoft ID'))
    .toBe(
      `This ID belongs to ${gone.name}, who was deleted in the LMS. Using this ID would restore this person. If you want that, use SIS Import, whose review shows the changes. Otherwise use another ID.`,
    );
  await next(page).click();
  await expect(page.getByRole('alertdialog')).toContainText('Please fix the errors before proceed next.');
});

test('AUTH-21 IMP-19 if the session expires before submitting, nothing is sent after signing in without another click', async ({
  page,
  campus,
  signInSeparately: signInAfresh,
}) => {
  const people = newcomers(695_000, 2);
  const sent: number[] = [];
  page.on('response', (response) => {
    if (response.request().postData()?.includes('POST_SIS')) sent.push(response.status());
  });
  await signInAfresh('alma.reyes', PATH);
  await pasteInto(page, 'PeopleSoft ID', 1, asCells(people));
  await next(page).click();
  await expect(submitButton(page)).toBeEnabled();
  await page.context().clearCookies({ name: 'lms_admin_session' });
  await submitButton(page).click();
  await page.getByRole('button', { name: 'Back to login', exact: true }).click();
  await page.getByRole('button', { name: /sign in with single sign-on/i }).click();
  await page.getByRole('button', { name: /allow|authori[sz]e/i }).click();
  await expect(step(page)).toHaveText('Final Review');
  await expect(submitButton(page)).toBeEnabled();
  await page.reload();
  await expect(step(page)).toHaveText('Final Review');
  expect(sent).toEqual([401]);
  expect(await inLms(campus, people[0]?.psID ?? '')).toBeNull();
  await submitButton(page).click();
  await expect(said(page, '2 of 2 people created.')).toBeVisible({ timeout: 60_000 });
  expect(sent).toEqual([401, 200]);
});

test('CU-03 a paste reports rows that do not fit, columns without a field, and repeats', async ({
  page,
  signIn,
  axe,
}) => {
  test.slow();
  const people = newcomers(710_000, 1_200).map((one) => ({ ...one, campus: 'Lakeside' }));
  const [first] = people;
  if (!first) throw new Error('nobody');
  // Row 3 repeats row 1, row 5 has no email, and a spreadsheet has shortened the ID of row 4.
  people[2] = { ...first };
  people[3] = { ...first, psID: '7,1015E+06', email: `one.more@${SCHOOL}` };
  people[4] = { ...first, psID: '719999', email: '' };
  const lines = people.map((one) =>
    [one.campus, one.psID, one.email, one.firstName, one.lastName].join('\t'),
  );
  await signIn('alma.reyes', PATH);
  await pasteInto(
    page,
    'PeopleSoft ID',
    1,
    ['Campus\tPeopleSoft ID\tE-mail\tFirst name\tLast name', ...lines].join('\r\n'),
  );
  await expect(said(page, '1,000 rows pasted, 1 duplicate, 1 without an email.')).toBeVisible();
  const list = page.getByRole('list', { name: 'Not added: 201.' });
  await expect(list.getByRole('listitem').first()).toHaveText(
    "Column 1, 'Campus' – the form has no field with this name",
  );
  await expect(list.getByRole('listitem').nth(1)).toHaveText(
    `Lakeside ${people[1_000]?.psID} ${people[1_000]?.email} ${people[1_000]?.firstName} ${people[1_000]?.lastName} – the form is full`,
  );
  expect(await noteOf(page, 'PeopleSoft ID', 4)).toBe(
    'Peoplesoft ID must be digits. This is a number in scientific notation, which spreadsheets use to shorten long IDs: copy the column again, formatted as text.',
  );
  await axe();
  // The result of the paste stays through edits and a reload, until it is dismissed.
  await input(page, 'First Name', 1).fill('Nora');
  await page.reload();
  await expect(list).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(list).toHaveCount(0);
});

test('SHELL-25 OP-20 selecting the tab keeps every entered row', async ({ page, signIn }) => {
  const people = newcomers(690_000, 120);
  await signIn('alma.reyes', PATH);
  await pasteInto(page, 'PeopleSoft ID', 1, asCells(people));
  await expect(input(page, 'Last Name', 120)).toHaveValue(people[119]?.lastName ?? '');
  await page.getByRole('link', { name: 'Create Users' }).click();
  await expect(input(page, 'Last Name', 120)).toHaveValue(people[119]?.lastName ?? '');
  await page.getByRole('link', { name: 'SIS Import' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('SIS Import');
  await page.getByRole('link', { name: 'Create Users' }).click();
  await expect(input(page, 'Last Name', 120)).toHaveValue(people[119]?.lastName ?? '');
});

/**
 * The largest number of people that is rendered completely, one more, and the maximum; more numbers with
 * `COUNTS=all`.
 */
const COUNTS = process.env.COUNTS === 'all' ? [119, 120, 121, 130, 150, 1_000] : [120, 121, 1_000];
for (const count of COUNTS) {
  test(`CU-06 CU-07 a simulation of ${count} people also shows all of them in the Final Review`, async ({
    page,
    signIn,
  }) => {
    test.slow();
    const people = newcomers(700_000, count);
    await signIn('alma.reyes', PATH);
    await pasteInto(page, 'PeopleSoft ID', 1, asCells(people));
    await page.getByRole('checkbox', { name: 'Simulate Users' }).check();
    const shown = page.getByRole('table', { name: 'Users to be created' });
    const cell = (person: (typeof people)[number] | undefined) =>
      shown.getByRole('cell', { name: person?.email ?? '' }).first();
    await expect(cell(people[0])).toBeVisible();
    await expect(next(page)).toBeEnabled({ timeout: 60_000 });
    await next(page).click();
    await expect(step(page)).toHaveText('Final Review');
    for (const reloaded of [false, true]) {
      if (reloaded) await page.reload();
      await expect(shown).toHaveAttribute('aria-rowcount', String(count + 1));
      await expect(cell(people[0])).toBeVisible();
      // People out of view are rendered on demand.
      await page.getByRole('searchbox').fill(people.at(-1)?.email ?? '');
      await expect(cell(people.at(-1))).toBeVisible();
      await page.getByRole('searchbox').fill('');
      await expect(cell(people[0])).toBeVisible();
    }
  });
}

test('CU-03 CU-06 every state fits, wide and narrow, light and dark', async ({ page, signIn, axe }) => {
  test.slow();
  const [one] = newcomers(651_000, 1);
  if (!one) throw new Error('nobody');
  await signIn('alma.reyes', PATH);
  const look = async () =>
    inEveryLook(page, async (name) => {
      expect(await sidewaysOverflow(page), name).toBeLessThanOrEqual(0);
      await axe();
    });
  await expect(step(page)).toHaveText('User Information');
  await look();
  const wrong = [
    ['12x', `alma.reyes@${SCHOOL}`, 'R2', "O'Brien"],
    ['5001001', 'x@elsewhere.example', 'Ann', 'Lee'],
  ].map((cells) => cells.join('\t'));
  await pasteInto(page, 'PeopleSoft ID', 1, `${asCells([one])}\n${wrong.join('\n')}`);
  await expect.poll(() => noteOf(page, 'PeopleSoft ID', 3)).toContain('Already exists');
  await expect(page.getByRole('button', { name: 'Remove 2 rows' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Simulate Users' }).check();
  await look();
  await page.getByRole('button', { name: 'Remove 2 rows' }).click();
  await expect(input(page, 'Email', 2)).toHaveCount(0);
  await next(page).click();
  await expect(step(page)).toHaveText('Final Review');
  await look();
});

test('CU-24 OP-58 rows between others can be removed if they are repeated or empty, or name people who exist', async ({
  page,
  signIn,
}) => {
  const people = newcomers(652_000, 3);
  const [first, second, third] = people;
  if (!first || !second || !third) throw new Error('nobody');
  const known = { ...third, psID: '5001001' };
  await signIn('alma.reyes', PATH);
  await pasteInto(page, 'PeopleSoft ID', 1, asCells([first, first, second, known, third]));
  await expect.poll(() => noteOf(page, 'PeopleSoft ID', 4)).toContain('Already exists');
  for (const field of ['PeopleSoft ID', 'Email', 'First Name', 'Last Name'])
    await input(page, field, 3).fill('');
  await page.getByRole('button', { name: 'Remove 1 row', exact: true }).click();
  // 'third' shared its address with the row above, which has been removed.
  await page.getByRole('button', { name: 'Remove 1 duplicate row' }).click();
  await page.getByRole('button', { name: 'Remove 1 empty row' }).click();
  await expect(input(page, 'PeopleSoft ID', 2)).toHaveValue(third.psID);
  await expect(input(page, 'PeopleSoft ID', 3)).toHaveCount(0);
  await next(page).click();
  await expect(step(page)).toHaveText('Final Review');
});
