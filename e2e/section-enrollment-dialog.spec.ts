/** A course's dialog in Section Enrollment: entering, checking, keeping (requirements SE and ERR). */
import { courseTable } from './support/course-enrollment.ts';
import { expect, test } from './support/fixtures.ts';
import {
  assign,
  assignButton,
  assignDialog,
  card,
  idsField,
  idsOf,
  namesOf,
  openDialog,
  pasteIds,
  pickCourses,
  SECTIONS_PATH,
  save,
  sisIdsOf,
  twoSections,
  typeIds,
} from './support/section-enrollment.ts';

test('SE-10 SE-11 OP-23 ERR-01 saving requires role and action, in the documented words, and focus goes to the field', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { course, first, second, people } = await twoSections(campus);
  const [id] = sisIdsOf(people);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  const dialog = assignDialog(page);
  const alert = page.getByRole('alertdialog', { name: 'Warning!!' });
  const saved = async (text: string) => {
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(alert).toContainText(text);
    await axe();
    await alert.getByRole('button', { name: 'Ok' }).click();
    await expect(alert).toBeHidden();
  };
  await typeIds(page, first.name, [id ?? '']);
  await saved(`Secion Error: ${first.name} :: Select Role and Action type`);
  const role = dialog.getByRole('combobox', { name: `Role in ${first.name}`, exact: true });
  await expect(role).toBeFocused();
  await expect(role).toHaveAttribute('aria-invalid', 'true');
  await role.selectOption({ label: 'Student' });
  await saved(`Secion Error: ${first.name} :: Select Role and Action type`);
  const radios = dialog.getByRole('radiogroup', { name: `Action in ${first.name}`, exact: true });
  await expect(radios.getByRole('radio', { name: 'Add' })).toBeFocused();
  // The field that prevents saving is marked until it is filled in.
  await expect(role).toHaveAttribute('aria-invalid', 'false');
  await expect(radios).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Space');
  await expect(radios).not.toHaveAttribute('aria-invalid');

  // The same choice is applied to all other sections with one click; a section without text needs nothing.
  await dialog
    .getByRole('button', { name: `Use role and action of ${first.name} for all sections`, exact: true })
    .click();
  await expect(idsField(page, first.name)).toBeFocused();
  await expect(
    dialog.getByRole('combobox', { name: `Role in ${second.name}`, exact: true }).locator('option:checked'),
  ).toHaveText('Student');

  await typeIds(page, second.name, ['müller', '12/34']);
  await expect(card(page, second.name)).toContainText("'12/34' is not a valid SIS ID.");
  await expect(idsField(page, second.name)).toHaveValue('müller 12/34');
  await expect(idsField(page, second.name)).toHaveAttribute('aria-invalid', 'true');
  await saved(`${second.name}: 'müller' is not a valid SIS ID.`);
  await expect(idsField(page, second.name)).toBeFocused();
  await idsField(page, second.name).fill('');
  await save(page);
  await expect(page.getByRole('table', { name: 'Selected courses' })).toContainText('1 section · 1 person');
});

test('SE-11 OP-50 a pasted spreadsheet column becomes ids, each shown with its name', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { course, first, people } = await twoSections(campus);
  const some = people.slice(0, 4);
  const ids = sisIdsOf(some);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/people/lookup')) asked.push(request.postData() ?? '');
  });
  await pasteIds(page, first.name, `${ids.slice(0, 3).join('\r\n')}\r\n${ids[0]}\r\n`);
  await expect(idsOf(page, first.name)).toContainText(ids.slice(0, 3));
  await expect(card(page, first.name)).toContainText('3 new, 1 duplicate.');
  for (const person of some.slice(0, 3)) await expect(namesOf(page, first.name)).toContainText(person.name);
  await expect(card(page, first.name)).toContainText('3 found');

  // If one more ID is pasted, only that one is looked up.
  await pasteIds(page, first.name, ids[3] ?? '');
  await expect(idsOf(page, first.name)).toContainText(ids);
  await expect(card(page, first.name)).toContainText('4 found');
  expect(asked).toHaveLength(2);
  expect(JSON.parse(asked[1] ?? '')).toMatchObject({ sis_ids: [ids[3]] });

  // An ID is removed and typed again: a comma, a space and leaving the field all confirm it.
  await card(page, first.name)
    .getByRole('button', { name: `Remove ${ids[0]}` })
    .click();
  await expect(idsOf(page, first.name)).toContainText(ids.slice(1));
  for (const end of [',', ' ', 'Tab']) {
    await idsField(page, first.name).pressSequentially('PS-9');
    await idsField(page, first.name).press(end);
    await expect(idsField(page, first.name)).toBeFocused();
    await expect(idsOf(page, first.name)).toContainText([...ids.slice(1), 'PS-9']);
    await idsField(page, first.name).press('Backspace');
    await expect(idsOf(page, first.name)).toHaveCount(3);
  }
  await idsField(page, first.name).fill(ids[0] ?? '');
  await idsField(page, first.name).blur();
  await expect(idsOf(page, first.name)).toContainText([...ids.slice(1), ids[0] ?? '']);
  await axe();
});

test('SE-03 Cancel and Escape ask only if entries would be lost', async ({ page, campus, signIn, axe }) => {
  const { course, first, people } = await twoSections(campus);
  const [id, other] = sisIdsOf(people);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  await page.keyboard.press('Escape');
  await expect(assignDialog(page)).toBeHidden();
  await expect(assignButton(page, course)).toBeFocused();

  await openDialog(page, course);
  await assign(page, first.name, { ids: [id ?? ''] });
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await axe();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(idsOf(page, first.name)).toContainText([id ?? '']);
  await save(page);

  await openDialog(page, course);
  await typeIds(page, first.name, [other ?? '']);
  await assignDialog(page).getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(assignDialog(page)).toBeHidden();
  await openDialog(page, course);
  await expect(idsOf(page, first.name)).toContainText([id ?? '']);
  await assignDialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(assignDialog(page)).toBeHidden();
});

test('SE-07 OP-31 SHELL-25 a reload keeps the open dialog; a deselected course is set aside; selecting the tab clears everything', async ({
  page,
  campus,
  signIn,
  axe,
}) => {
  const { course, first, people } = await twoSections(campus);
  const [id] = sisIdsOf(people);
  await signIn('alma.reyes', SECTIONS_PATH);
  await pickCourses(page, [course]);
  await openDialog(page, course);
  await assign(page, first.name, { ids: [id ?? ''] });
  await page.reload();
  await expect(idsOf(page, first.name)).toContainText([id ?? '']);
  await expect(namesOf(page, first.name)).toContainText(people[0]?.name ?? '');
  await save(page);
  await expect(assignButton(page, course)).toBeFocused();
  await page.reload();
  await expect(page.getByRole('table', { name: 'Selected courses' })).toContainText('1 section · 1 person');

  const box = courseTable(page).getByRole('checkbox', { name: new RegExp(course.sis_course_id ?? '') });
  await box.uncheck();
  const aside = page.getByRole('region', { name: /with people assigned/ });
  await expect(aside).toContainText(course.name);
  await axe();
  await aside.getByRole('button', { name: `Select again: ${course.name}` }).click();
  await expect(box).toBeChecked();
  await expect(aside).toBeHidden();
  await box.uncheck();
  await aside.getByRole('button', { name: `Discard: ${course.name}` }).click();
  await expect(aside).toBeHidden();
  await box.check();
  await expect(page.getByRole('table', { name: 'Selected courses' })).toContainText('No one yet');
  await page
    .getByRole('link', { name: 'Section Enrollment' })
    .or(page.getByRole('tab', { name: 'Section Enrollment' }))
    .click();
  await expect(page.getByRole('combobox', { name: 'Programme' })).toHaveValue('');
});
