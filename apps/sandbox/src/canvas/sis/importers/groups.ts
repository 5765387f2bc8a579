import { ownCategory } from '../../store/group-rules.ts';
import type { Group, GroupCategory } from '../../store/model.ts';
import { STICKY } from '../../store/sticky.ts';
import type { Cells } from '../csv/files.ts';
import { messages } from '../messages.ts';
import { findContext, type GroupContext } from './contexts.ts';
import { type Importer, startsWithOne, tooLong, type Work } from './work.ts';

const COLUMNS = ['group_id', 'name', 'status', 'group_category_id', 'account_id', 'course_id'] as const;
type GroupCells = Cells<(typeof COLUMNS)[number]>;
const say = messages.group;

/** Groups (§9.6). */
export const groupImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'group',
  columns: COLUMNS,
  buffer: 1,

  check(row) {
    if (!row.group_id) return say.noId;
    if (!row.name) return say.noName(row.group_id);
    if (!startsWithOne(row.status, 'available', 'closed', 'completed', 'deleted'))
      return say.badStatus(row.status, row.group_id);
    return undefined;
  },

  apply(row, work) {
    const { groupMemberships, groups, rootAccount } = work.world;
    const id = row.group_id;
    const named = findContext(row, id, say, work);
    if (typeof named === 'string') return named;
    const category = findCategory(row, named, work);
    if (typeof category === 'string') return category;
    const present = groups.by.sis.get(id);
    const root: GroupContext = { context_type: 'Account', context_id: rootAccount.id };
    const context = contextOf(category) ?? named ?? contextOf(present) ?? root;
    if (present && !mayMove(present, context, work)) return say.hasMembers(id);
    const invalid = tooLong([
      ['Name', row.name],
      ['SIS ID', id],
    ]);
    if (invalid) return say.invalid(id, invalid);
    const deleting = startsWithOne(row.status, 'deleted');
    const fields = {
      name: row.name ?? '',
      ...context,
      group_category_id: (
        category ??
        formerCategory(present, context, work) ??
        ownCategory(work.world, context)
      ).id,
      workflow_state: deleting ? ('deleted' as const) : ('available' as const),
    };
    let group = present;
    if (group) work.update(groups, 'Group', group, fields, STICKY.group);
    else
      group = work.create(groups, 'Group', {
        description: null,
        join_level: 'invitation_only',
        is_public: false,
        max_membership: null,
        leader_id: null,
        sis_source_id: id,
        sis_batch_id: null,
        stuck_sis_fields: null,
        ...fields,
      });
    if (deleting)
      for (const membership of groupMemberships.by.group.get(group.id))
        if (membership.workflow_state !== 'deleted')
          work.update(groupMemberships, 'GroupMembership', membership, { workflow_state: 'deleted' });
    return true;
  },
};

function contextOf(holder: GroupContext | null | undefined): GroupContext | undefined {
  return holder ? { context_type: holder.context_type, context_id: holder.context_id } : undefined;
}

const isSame = (a: GroupContext, b: GroupContext) =>
  a.context_type === b.context_type && a.context_id === b.context_id;

/** Finds the category of the row, which must be in the row's own context if it names one. */
function findCategory(
  row: GroupCells,
  named: GroupContext | null,
  { world }: Work,
): GroupCategory | null | string {
  const wanted = row.group_category_id;
  if (!wanted) return null;
  const category = world.groupCategories.by.sis.get(wanted);
  if (category?.deleted_at === null && (!named || isSame(category, named))) return category;
  if (!named) return say.unknownCategory(wanted, row.group_id);
  return named.context_type === 'Course'
    ? say.categoryNotInCourse(wanted, row.course_id, row.group_id)
    : say.categoryNotInAccount(wanted, row.account_id, row.group_id);
}

/**
 * Returns whether a group can move: between accounts always, into or out of a course only without members.
 */
function mayMove(group: Group, context: GroupContext, { world }: Work): boolean {
  if (isSame(group, context) || (group.context_type !== 'Course' && context.context_type !== 'Course'))
    return true;
  return world.groupMemberships.by.group.get(group.id).every((member) => member.workflow_state === 'deleted');
}

/** Returns the group's category if the group stays in its context; a group that moves leaves its category. */
function formerCategory(
  present: Group | undefined,
  context: GroupContext,
  { world }: Work,
): GroupCategory | undefined {
  const category = world.groupCategories.get(present?.group_category_id);
  return category && isSame(category, context) ? category : undefined;
}
