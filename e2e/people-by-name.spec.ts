/** Names in fields for people: anyone with Search Users gets suggestions while typing a name. */
import { chip, fault, field, PATH, peopleLike, toPeople } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import { inEveryLook } from './support/looks.ts';
import {
  assignDialog,
  idsField,
  idsOf,
  openDialog,
  pickCourses,
  SECTIONS_PATH,
  twoSections,
} from './support/section-enrollment.ts';

const list = 'People with this name';

test('CE-09 a name suggests its people, by arrow keys or click; typed addresses work as before', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const abbotts = (await peopleLike(campus, 'abbott')).map((one) => one.login_id);
  expect(abbotts.length).toBeGreaterThan(2);
  await signIn('alma.reyes', PATH);
  await toPeople(page);
  const people = page.getByRole('listbox', { name: list });
  const options = people.getByRole('option');
  await field(page).pressSequentially('Abb');
  await expect(options.first()).toBeVisible();
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'with this name' })).not.toHaveCount(0);
  await expect(page.getByText('More people have this name. Type more letters.')).toBeVisible();
  await inEveryLook(page, () => axe());

  // Enter alone confirms the text unchanged; Escape closes the list, and it stays closed.
  await field(page).press('ArrowDown');
  await field(page).press('ArrowDown');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(field(page)).toHaveAttribute(
    'aria-activedescendant',
    (await options.nth(1).getAttribute('id')) ?? '',
  );
  await field(page).press('ArrowUp');
  await field(page).press('Enter');
  const [first] = await page.getByRole('list', { name: '1 address' }).getByRole('listitem').allInnerTexts();
  expect(abbotts.some((login) => first?.includes(login))).toBe(true);
  await expect(field(page)).toHaveValue('');
  await expect(field(page)).toBeFocused();
  await expect(people).toHaveCount(0);

  // People already in the list are not suggested again.
  await field(page).pressSequentially('abbott');
  await expect(options.first()).toBeVisible();
  for (const text of await options.allInnerTexts()) expect(first).not.toContain(text.split(' ').at(-1));
  const login = (await options.nth(1).innerText()).split(/\s/).at(-1) ?? '';
  await options.nth(1).click();
  await expect(chip(page, login)).toBeVisible();
  await expect(field(page)).toBeFocused();

  await field(page).pressSequentially('abbott');
  await expect(options.first()).toBeVisible();
  await field(page).press('Escape');
  await expect(people).toHaveCount(0);
  await field(page).press('Enter');
  await expect(field(page)).toHaveAccessibleDescription(/abbott is not a valid email address/);

  // An address is not a name, and a failed search suggests no one: the text can be entered without it.
  const correct = await fault(campus, { match: '/api/v1/accounts/1/users*', kind: 'status', status: 500 });
  await field(page).fill('lind');
  await field(page).fill('typed@northbridge.example');
  await field(page).press('Enter');
  await expect(chip(page, 'typed@northbridge.example')).toBeVisible();
  await expect(people).toHaveCount(0);
  await correct();
});

test('SE-11 in a dialog a name gives the SIS ID; Escape closes only the list, not the dialog', async ({
  page,
  campus,
  signIn,
}) => {
  const { course, first, people } = await twoSections(campus);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  const ids = idsField(page, first.name);
  await ids.pressSequentially('abbott');
  const options = page.getByRole('listbox', { name: list }).getByRole('option');
  await expect(options.first()).toBeVisible();
  await ids.press('Escape');
  await expect(options).toHaveCount(0);
  await expect(assignDialog(page)).toBeVisible();
  await ids.fill('abbot');
  await expect(options.first()).toBeVisible();
  const [shown] = (await options.first().innerText()).split(/\s/).slice(-1);
  await options.first().click();
  await expect(idsOf(page, first.name)).toHaveCount(1);
  await expect(idsOf(page, first.name)).toContainText(shown ?? '');
  expect(people.length).toBeGreaterThan(0);
});

test('PERM-05 without Search Users there are no suggestions, and no requests for a name', async ({
  page,
  signIn,
}) => {
  await signIn('bruno.keller', PATH);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.postData()?.includes('search_term')) asked.push(request.postData() ?? '');
  });
  await toPeople(page);
  await field(page).pressSequentially('abbott');
  await expect(field(page)).not.toHaveAttribute('aria-autocomplete');
  await field(page).press('Enter');
  await expect(field(page)).toHaveAccessibleDescription(/abbott is not a valid email address/);
  expect(asked).toEqual([]);
});
