/** Kinds of account reports and their parameters (reference §17). */

export interface ReportKind {
  report: string;
  title: string;
  /** Parameters, with their descriptions. */
  parameters: Record<string, { required: boolean; description: string }>;
}

/** Tables of a provisioning report, in Canvas's order. */
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

const about = (description: string) => ({ required: false, description });

/** @param file Canvas's name for the files of this report */
function parametersOf(file: string): ReportKind['parameters'] {
  const name = (table: ReportTable) => (table === 'xlist' ? 'cross listed courses' : table);
  return {
    enrollment_term_id: about('The canvas id of the term of courses to report on'),
    ...Object.fromEntries(TABLES.map((table) => [table, about(`Get the ${file} file for ${name(table)}`)])),
    created_by_sis: about('Only objects that imports have made'),
    include_deleted: about('Include deleted objects'),
  };
}

export const KINDS: readonly ReportKind[] = [
  {
    report: 'provisioning_csv',
    title: 'Provisioning',
    parameters: {
      ...parametersOf('Provisioning'),
      enrollment_filter: about('Only enrollments of these types'),
      enrollment_states: about('Only enrollments in these states'),
    },
  },
  { report: 'sis_export_csv', title: 'SIS Export', parameters: parametersOf('SIS') },
];

/** Returns the tables that the parameters of a run request. */
export function tablesIn(parameters: Readonly<Record<string, unknown>>): ReportTable[] {
  return TABLES.filter((table) => isOn(parameters[table]));
}

/** Returns whether a parameter has a true value. */
export function isOn(value: unknown): boolean {
  return value === true || value === 1 || ['1', 'true', 'on', 'yes'].includes(String(value).toLowerCase());
}
