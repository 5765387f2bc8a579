import { isFull, leaveOthers, mayJoin, membershipOf } from '../../store/group-rules.ts';
import { messages } from '../messages.ts';
import { type Importer, startsWithOne } from './work.ts';

const COLUMNS = ['group_id', 'user_id', 'status'] as const;
const say = messages.groupMembership;

/** Group memberships (§9.6, §15.2). */
export const groupMembershipImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'group_membership',
  columns: COLUMNS,
  buffer: 1,

  check(row) {
    if (!row.group_id) return say.noGroup;
    if (!row.user_id) return say.noUser;
    if (!startsWithOne(row.status, 'accepted', 'deleted')) return say.badStatus(row.status);
    return undefined;
  },

  apply(row, work) {
    const { groupMemberships, groups, pseudonyms } = work.world;
    const login = pseudonyms.by.sis.get(row.user_id);
    if (!login) return say.unknownUser(row.user_id);
    const group = groups.by.sis.get(row.group_id);
    if (!group) return say.unknownGroup(row.group_id);
    // Checked before the status: even the removal of a person who has left the course is rejected.
    if (!mayJoin(work.world, group, login.user_id)) return say.notEnrolled(row.user_id, row.group_id);

    const present = membershipOf(work.world, group, login.user_id);
    const state = startsWithOne(row.status, 'deleted') ? 'deleted' : 'accepted';
    if (!present && isFull(work.world, group)) return say.full(row.user_id, row.group_id);
    let membership = present;
    if (membership) work.update(groupMemberships, 'GroupMembership', membership, { workflow_state: state });
    else
      membership = work.create(groupMemberships, 'GroupMembership', {
        group_id: group.id,
        user_id: login.user_id,
        workflow_state: state,
        moderator: false,
        sis_batch_id: null,
      });
    // Memberships that end this way are in no count, statistic or undo data (§15.2).
    if (state === 'accepted') leaveOthers(work.world, membership);
    return true;
  },
};
