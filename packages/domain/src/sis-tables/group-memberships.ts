/** People in groups (LMS reference §9.6 and §15.2). */
import { sisTable } from './table.ts';

export const GROUP_MEMBERSHIPS = sisTable('group_membership', ['group_id', 'user_id', 'status'], {
  title: 'Group memberships',
  known: { by: [['group_id'], ['user_id']] },
  senders: 'all',
  touches: { group: 'group_id', person: 'user_id' },
  deleting: ['deleted'],
  rows: {
    needs: [
      { oneOf: ['group_id'], what: 'SIS id of the group' },
      { oneOf: ['user_id'], what: 'SIS id of the person' },
    ],
    states: ['accepted', 'deleted'],
  },
});
