/** The templates of step 'Select SIS Type': files of the console below `/csv-templates/` (SIS-03, OP-54). */
import { SECTION_LEVEL_HEADER } from '@lms-admin/domain/enrollment-csv';
import { USER_HEADER } from '@lms-admin/domain/new-users';
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
  template(
    'Users',
    'Users-Template.csv',
    'Creates people, or changes their names and addresses.',
    USER_HEADER,
  ),
  template(
    'Enrollments',
    'Enrollments-Template.csv',
    'Adds people to courses or sections, or removes them from there.',
    SECTION_LEVEL_HEADER,
  ),
  template(
    'Delete users',
    'Delete-Users-Template.csv',
    'Deletes logins. Somebody without another login loses every enrolment.',
    ['user_id', 'login_id', 'status'],
  ),
];
