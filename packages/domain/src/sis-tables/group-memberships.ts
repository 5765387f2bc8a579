/** People in groups (LMS reference §9.6 and §15.2). */
import { sisTable } from './table.ts';

/** The header of people into groups, in its documented order (OP-79). */
export const MEMBERSHIP_HEADER = ['group_id', 'user_id', 'status'] as const;

export const GROUP_MEMBERSHIPS = sisTable('group_membership', MEMBERSHIP_HEADER, {
  title: 'Group memberships',
  known: { by: [['group_id'], ['user_id']] },
  senders: 'all',
  touches: { group: 'group_id', person: 'user_id' },
  deleting: ['deleted'],
  rows: {
    needs: [
      { oneOf: ['group_id'], what: 'SIS ID of the group' },
      { oneOf: ['user_id'], what: 'SIS ID of the person' },
    ],
    states: ['accepted', 'deleted'],
  },
  templates: [
    {
      file: 'Group-User-Enrollment-Template.csv',
      place: null,
      title: 'Group Enrollment',
      use: 'Adds people to groups of a course, or removes them.',
      columns: MEMBERSHIP_HEADER,
      sample: { group_id: 'SAMPLE-COURSE-101_Team-G01', user_id: '1234567', status: 'accepted' },
      marked: 'group_id',
    },
  ],
});
