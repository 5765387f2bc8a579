/** Sets of groups, in a course or an account (LMS reference §9.6 and §15). */
import { asNames, sisTable } from './table.ts';

export const GROUP_CATEGORIES = sisTable(
  'group_category',
  ['group_category_id', 'account_id', 'course_id', 'category_name', 'status'],
  {
    title: 'Group categories',
    known: { by: [['group_category_id'], ['category_name']] },
    senders: 'all',
    touches: { 'group-category': 'group_category_id', course: 'course_id' },
    makes: ['group-category'],
    once: ['group_category_id'],
    deleting: ['deleted'],
    rows: {
      needs: [
        { oneOf: ['group_category_id'], what: 'SIS ID of the group category' },
        { oneOf: ['category_name'], what: 'name of the group category' },
      ],
      exclusive: ['account_id', 'course_id'],
      states: ['active', 'deleted'],
      longest: asNames('group_category_id', 'category_name'),
    },
  },
);
