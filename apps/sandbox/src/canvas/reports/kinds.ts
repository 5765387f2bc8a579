/** The kinds of account reports and what may be asked of them (reference §17). */

export interface ReportKind {
  report: string;
  title: string;
  /** What may be given, with what it is for. */
  parameters: Record<string, { required: boolean; description: string }>;
}

/** The tables of a provisioning report, in the order in which Canvas offers them. */
export const TABLES = [
  'users',
  'accounts',
  'terms',
  'courses',
  'sections',
  'enrollments',
  'groups',
  'group_membership',
  'group_categories',
  'xlist',
  'user_observers',
  'admins',
] as const;
export type ReportTable = (typeof TABLES)[number];

const NAMES: Readonly<Record<ReportTable, string>> = {
  users: 'user',
  accounts: 'account',
  terms: 'term',
  courses: 'course',
  sections: 'section',
  enrollments: 'enrollment',
  groups: 'group',
  group_membership: 'group membership',
  group_categories: 'group category',
  xlist: 'cross listing',
  user_observers: 'user observer',
  admins: 'admin',
};

const about = (what: string) => ({ required: false, description: what });
const PARAMETERS = {
  enrollment_term_id: about('The canvas id of the term of courses to report on'),
  ...Object.fromEntries(
    TABLES.map((table) => [table, about(`Get the Provisioning file for ${NAMES[table]}s`)]),
  ),
  created_by_sis: about('If objects created by SIS, true or false'),
  include_deleted: about('Include deleted objects'),
  enrollment_filter: about('Include only enrollments of specified types'),
  enrollment_states: about('Include only enrollments in specified states'),
};

export const KINDS: readonly ReportKind[] = [
  { report: 'provisioning_csv', title: 'Provisioning', parameters: PARAMETERS },
  { report: 'sis_export_csv', title: 'SIS Export', parameters: PARAMETERS },
];

/** The tables that the parameters of a run ask for. */
export function tablesIn(parameters: Readonly<Record<string, unknown>>): ReportTable[] {
  return TABLES.filter((table) => isOn(parameters[table]));
}

/** Whether a parameter is given as something that is true. */
export function isOn(value: unknown): boolean {
  return value === true || value === 1 || ['1', 'true', 'on', 'yes'].includes(String(value).toLowerCase());
}
