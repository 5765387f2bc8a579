import { isReservedName } from '../../store/group-rules.ts';
import { messages } from '../messages.ts';
import { findContext } from './contexts.ts';
import { type Importer, startsWithOne, tooLong } from './work.ts';

const COLUMNS = ['group_category_id', 'category_name', 'account_id', 'course_id', 'status'] as const;
const say = messages.groupCategory;

/** Group categories (§9.6). */
export const groupCategoryImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'group_category',
  columns: COLUMNS,
  buffer: 1,

  check(row) {
    const id = row.group_category_id;
    if (!id) return say.noId;
    if (!row.category_name) return say.noName(id);
    if (!row.status) return say.noStatus(id);
    if (!startsWithOne(row.status, 'active', 'deleted')) return say.badStatus(row.status, id);
    return undefined;
  },

  apply(row, work) {
    const { groupCategories, groups, now, rootAccount } = work.world;
    const id = row.group_category_id;
    const found = findContext(row, id, say, work);
    if (typeof found === 'string') return found;
    const context = found ?? { context_type: 'Account', context_id: rootAccount.id };
    const present = groupCategories.by.sis.get(id);
    const moves =
      present && (present.context_type !== context.context_type || present.context_id !== context.context_id);
    if (moves && groups.by.category.get(present.id).some((group) => group.workflow_state !== 'deleted'))
      return say.hasGroups(id);
    const deleting = startsWithOne(row.status, 'deleted');
    const name = row.category_name ?? '';
    const taken = groupCategories.by.context
      .get(`${context.context_type}_${context.context_id}`)
      .some((other) => other !== present && other.deleted_at === null && other.name === name);
    const invalid = tooLong([
      ['Name', name],
      ['SIS ID', id],
    ]);
    if (invalid) return say.invalid(id, invalid);
    if (isReservedName(name, context.context_type)) return say.invalid(id, say.nameReserved(name));
    if (taken && !deleting) return say.invalid(id, say.nameTaken(name));
    const fields = {
      name,
      ...context,
      deleted_at: deleting ? (present?.deleted_at ?? now()) : null,
    };
    if (present) work.update(groupCategories, 'GroupCategory', present, fields);
    else
      work.create(groupCategories, 'GroupCategory', {
        role: null,
        self_signup: null,
        auto_leader: null,
        group_limit: null,
        sis_source_id: id,
        sis_batch_id: null,
        ...fields,
      });
    return true;
  },
};
