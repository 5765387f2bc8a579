import { messages } from '../messages.ts';
import { enrollmentsIn } from './effects.ts';
import { type Importer, startsWithOne } from './work.ts';

const COLUMNS = ['group_id', 'user_id', 'status'] as const;
const say = messages.groupMembership;

/** §9.6 */
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
    // Before the status: removing somebody who left the course is refused too.
    const enrolled =
      group.context_type !== 'Course' ||
      enrollmentsIn(work.world, login.user_id, group.context_id).some((e) => e.workflow_state !== 'deleted');
    if (!enrolled) return say.notEnrolled(row.user_id, row.group_id);

    const held = groupMemberships.by.group.get(group.id).filter((m) => m.user_id === login.user_id);
    const present = held.find((m) => m.workflow_state === 'accepted') ?? held[0];
    const state = startsWithOne(row.status, 'deleted') ? 'deleted' : 'accepted';
    if (present) work.update(groupMemberships, 'GroupMembership', present, { workflow_state: state });
    else
      work.create(groupMemberships, 'GroupMembership', {
        group_id: group.id,
        user_id: login.user_id,
        workflow_state: state,
        moderator: false,
        sis_batch_id: null,
      });
    return true;
  },
};
