/** Access administrators for the tests, and changes in the form in which the page sends them. */
import type {
  AccessChange,
  AccessHistory,
  AccessPeople,
  AccessReview,
  ListedRecord,
} from '@lms-admin/contract/access';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';

export const ANNA = 'anna@northbridge.example';

const all = (login: string, flags: object) => ({ login, email: login, perm: 'ALL', ...flags });

/** Two access administrators who exist in the practice LMS, and two people without that permission. */
export const TWO_ADMINS = {
  admins: [
    all(PEOPLE.all, { access_admin: true, user_search: true }),
    all(PEOPLE.helpDesk, { access_admin: true }),
    {
      login: PEOPLE.custom,
      email: PEOPLE.custom,
      perm: 'CUSTOM',
      sub_accounts: '86,120',
      roles: '3,5',
      section_roles: '3',
      course_level_admin: true,
      export_course_students: true,
    },
    all(PEOPLE.records, { sis_import: true }),
  ],
};

export async function peopleOf(browser: Browser): Promise<AccessPeople> {
  return (await (await browser.fetch(ENDPOINTS.accessPeople)).json()).data as AccessPeople;
}

/** Returns a person's record, as a change that does not change anything yet. */
export async function recordOf(browser: Browser, login: string): Promise<AccessChange> {
  const found = (await peopleOf(browser)).records.find((one) => one.login === login);
  if (!found) throw new Error(`${login} has no record`);
  return asChange(found);
}

function asChange({ login, record, reason, expires_at, disabled, version }: ListedRecord): AccessChange {
  return { login, record, reason, expires_at, disabled, version };
}

export async function save(browser: Browser, changes: readonly unknown[], why = 'a test') {
  const response = await browser.post(ENDPOINTS.accessSave, { changes, why });
  const body = await response.json();
  return { status: response.status, data: body.data, error: body.error };
}

export async function reviewOf(browser: Browser, changes: readonly unknown[]): Promise<AccessReview> {
  const response = await browser.post(ENDPOINTS.accessReview, { changes, why: '' });
  return (await response.json()).data as AccessReview;
}

export async function historyOf(browser: Browser, person?: string): Promise<AccessHistory> {
  const query = person === undefined ? '' : `?person=${encodeURIComponent(person)}`;
  return (await (await browser.fetch(`${ENDPOINTS.accessHistory}${query}`)).json()).data as AccessHistory;
}
