/** The templates of step 'Select SIS Type': files of the console below `/csv-templates/` (SIS-03, OP-54). */
export interface Template {
  title: string;
  file: string;
  path: string;
  use: string;
  columns: readonly string[];
}

const template = (title: string, file: string, use: string, columns: readonly string[]): Template => ({
  title,
  file,
  path: `/csv-templates/${file}`,
  use,
  columns,
});

export const TEMPLATES: readonly Template[] = [
  template('Users', 'Users-Template.csv', 'Creates people, or changes their names and addresses.', [
    'user_id',
    'integration_id',
    'login_id',
    'first_name',
    'last_name',
    'sortable_name',
    'short_name',
    'email',
    'status',
  ]),
  template(
    'Enrollments',
    'Enrollments-Template.csv',
    'Adds people to courses or sections, or removes them from there.',
    ['course_id', 'user_id', 'role_id', 'section_id', 'status'],
  ),
  template(
    'Delete users',
    'Delete-Users-Template.csv',
    'Deletes logins. Somebody without another login loses every enrolment.',
    ['user_id', 'login_id', 'status'],
  ),
];
