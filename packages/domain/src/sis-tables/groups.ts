/** Groups (LMS reference §9.6 and §15). */
import { asNames, sisTable } from './table.ts';

const COLUMNS = ['group_id', 'group_category_id', 'account_id', 'course_id', 'name', 'status'] as const;

/** The header of new groups, in its documented order (GRP-24). */
export const GROUP_HEADER = [
  'group_category_id',
  'group_id',
  'name',
  'status',
] as const satisfies readonly (typeof COLUMNS)[number][];

export const GROUPS = sisTable('group', COLUMNS, {
  title: 'Groups',
  known: { by: [['group_id'], ['name']] },
  senders: 'all',
  touches: { group: 'group_id', 'group-category': 'group_category_id', course: 'course_id' },
  makes: ['group'],
  once: ['group_id'],
  deleting: ['deleted'],
  rows: {
    needs: [
      { oneOf: ['group_id'], what: 'SIS ID of the group' },
      { oneOf: ['name'], what: 'name of the group' },
    ],
    exclusive: ['account_id', 'course_id'],
    // The LMS treats closed and completed as available.
    states: ['available', 'closed', 'completed', 'deleted'],
    longest: asNames('group_id', 'name'),
  },
});
