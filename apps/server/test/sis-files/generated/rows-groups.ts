/** Rows for group categories, groups and their people. */
import type { GeneratedRow, GeneratedTable } from './file.ts';
import { lastingAccount } from './rows-accounts.ts';
import { onceEach } from './rows-people.ts';
import { type Choices, row, type Stage } from './stage.ts';

type Make = (stage: Stage) => GeneratedRow;

const newCategory = (stage: Stage): Record<string, string> => {
  const id = stage.fresh('SET');
  stage.aheadCategories.push(id);
  const place: Record<string, string> = stage.chance.chance(0.3)
    ? { account_id: lastingAccount(stage) }
    : { course_id: stage.courseId() };
  return {
    group_category_id: id,
    category_name: `Set ${id}`,
    ...place,
    status: stage.word('active'),
  };
};
const sameCategory = (stage: Stage, status: string): Record<string, string> => {
  const all = stage.categories();
  if (all.length === 0) return newCategory(stage);
  const one = stage.chance.pick(all);
  const { courses, accounts } = stage.world;
  const place: Record<string, string> =
    one.context_type === 'Course'
      ? { course_id: courses.must(one.context_id).sis_source_id ?? '' }
      : { account_id: accounts.must(one.context_id).sis_source_id ?? '' };
  return {
    group_category_id: one.sis_source_id ?? '',
    category_name: one.name,
    ...place,
    status: stage.word(status),
  };
};

const CATEGORIES: Choices<Make> = [
  [5, (stage) => row(newCategory(stage), 'perhaps a course that is gone')],
  [3, (stage) => row(sameCategory(stage, 'active'), 'perhaps a course that is gone')],
  [
    3,
    (stage) =>
      row(
        { ...sameCategory(stage, 'active'), category_name: `Renamed ${stage.fresh('x')}` },
        'perhaps a course that is gone',
      ),
  ],
  [2, (stage) => row(sameCategory(stage, 'deleted'), 'perhaps a course that is gone')],
  [
    1,
    (stage) =>
      row(
        { ...sameCategory(stage, 'deleted'), category_name: `Gone ${stage.fresh('x')}` },
        'perhaps a course that is gone',
      ),
  ],
  [
    2,
    (stage) =>
      row(
        { ...newCategory(stage), category_name: sameCategory(stage, 'active')['category_name'] ?? '' },
        'perhaps a name in use',
      ),
  ],
  [
    1,
    (stage) =>
      row(
        { ...sameCategory(stage, 'active'), account_id: '', course_id: stage.courseId() },
        'perhaps another course',
      ),
  ],
  [1, (stage) => row({ ...newCategory(stage), account_id: '', course_id: 'NO-COURSE' }, 'no course')],
];

export function categories(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(CATEGORIES)(stage), 3, 'mistake');
  return {
    kind: 'group_category',
    columns: ['group_category_id', 'category_name', 'course_id', 'account_id', 'status'],
    rows: onceEach(rows, ['group_category_id']),
  };
}

const categoryId = (stage: Stage): string => {
  const ahead = stage.aheadCategories;
  if (ahead.length > 0 && stage.chance.chance(0.5)) return stage.chance.pick(ahead);
  const all = stage.categories();
  return all.length > 0 ? (stage.chance.pick(all).sis_source_id ?? '') : 'NO-SET';
};
const newGroup = (stage: Stage): Record<string, string> => {
  const id = stage.fresh('GROUP');
  stage.aheadGroups.push(id);
  return {
    group_id: id,
    group_category_id: categoryId(stage),
    name: stage.name(),
    status: stage.word('available'),
  };
};
const sameGroup = (stage: Stage, status: string): Record<string, string> => {
  const all = stage.groups();
  if (all.length === 0) return newGroup(stage);
  const one = stage.chance.pick(all);
  const of = stage.world.groupCategories.get(one.group_category_id);
  return {
    group_id: one.sis_source_id ?? '',
    group_category_id: of?.sis_source_id ?? '',
    name: one.name,
    status: stage.word(status),
  };
};

/** Describes a group with its own course or account. */
function inPlace(stage: Stage, status: string): Record<string, string> {
  const cells = sameGroup(stage, status);
  const group = stage.world.groups.by.sis.get(cells['group_id'] ?? '');
  if (!group) return cells;
  const place: Record<string, string> =
    group.context_type === 'Course'
      ? { course_id: stage.world.courses.must(group.context_id).sis_source_id ?? '' }
      : { account_id: stage.world.accounts.must(group.context_id).sis_source_id ?? '' };
  return { ...cells, ...place, ...(stage.chance.chance(0.5) ? { group_category_id: '' } : {}) };
}

const GROUPS: Choices<Make> = [
  [5, (stage) => row(newGroup(stage), 'perhaps no category')],
  [3, (stage) => row({ ...sameGroup(stage, 'available'), name: stage.name() }, 'perhaps no category')],
  [2, (stage) => row(sameGroup(stage, 'closed'), 'perhaps no category')],
  [2, (stage) => row(sameGroup(stage, 'deleted'), 'perhaps no category')],
  [
    1,
    (stage) =>
      row(
        { ...sameGroup(stage, 'deleted'), name: stage.name(), group_category_id: categoryId(stage) },
        'perhaps another course',
      ),
  ],
  [
    2,
    (stage) =>
      row(
        { ...sameGroup(stage, 'available'), group_category_id: categoryId(stage) },
        'perhaps another course',
      ),
  ],
  [1, (stage) => row({ ...newGroup(stage), group_category_id: 'NO-SET' }, 'no category')],
  [1, (stage) => row({ ...newGroup(stage), name: 'x'.repeat(256) }, 'a name of 256 characters')],
  [1, (stage) => row({ ...newGroup(stage), group_category_id: '' })],
  [2, (stage) => row({ ...newGroup(stage), course_id: stage.courseId() }, 'perhaps another course')],
  [
    1,
    (stage) =>
      row(
        { ...newGroup(stage), group_category_id: '', course_id: stage.courseId() },
        'perhaps another course',
      ),
  ],
  [
    1,
    (stage) =>
      row(
        { ...newGroup(stage), group_category_id: '', account_id: lastingAccount(stage) },
        'perhaps another account',
      ),
  ],
  [2, (stage) => row({ ...inPlace(stage, 'available') }, 'perhaps another course')],
  [1, (stage) => row({ ...inPlace(stage, 'deleted') }, 'perhaps another course')],
  [
    1,
    (stage) =>
      row(
        { ...sameGroup(stage, 'available'), group_category_id: '', course_id: stage.courseId() },
        'perhaps another course',
      ),
  ],
];

export function groups(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(GROUPS)(stage), 3, 'mistake');
  return {
    kind: 'group',
    columns: stage.columns(
      rows,
      ['group_id', 'group_category_id', 'name', 'status'],
      ['course_id', 'account_id'],
    ),
    rows: onceEach(rows, ['group_id']),
  };
}

const groupId = (stage: Stage): string => {
  const ahead = stage.aheadGroups;
  if (ahead.length > 0 && stage.chance.chance(0.4)) return stage.chance.pick(ahead);
  const all = stage.groups();
  return all.length > 0 ? (stage.chance.pick(all).sis_source_id ?? '') : 'NO-GROUP';
};

/** Describes a person in a group's course, with that group. */
function seated(stage: Stage): Record<string, string> {
  const id = groupId(stage);
  const group = stage.world.groups.by.sis.get(id);
  const inside =
    group?.context_type === 'Course' ? stage.world.enrollments.by.course.get(group.context_id) : [];
  const login =
    inside.length > 0
      ? stage.world.loginsOf(stage.chance.pick(inside.slice(0, 8)).user_id)[0]
      : stage.person();
  return { group_id: id, user_id: login?.sis_user_id ?? stage.personId() };
}

function member(stage: Stage): Record<string, string> {
  const live = [...stage.world.groupMemberships.values()].filter((one) => one.workflow_state === 'accepted');
  const one = live.length > 0 ? stage.chance.pick(live) : undefined;
  const group = stage.world.groups.get(one?.group_id);
  const login = one && stage.world.loginsOf(one.user_id).find(({ sis_user_id }) => sis_user_id !== null);
  if (!group?.sis_source_id || !login?.sis_user_id) return seated(stage);
  return { group_id: group.sis_source_id, user_id: login.sis_user_id };
}

const MEMBERSHIPS: Choices<Make> = [
  [8, (stage) => row({ ...seated(stage), status: stage.word('accepted') }, 'perhaps not in the course')],
  [4, (stage) => row({ ...member(stage), status: stage.word('deleted') }, 'perhaps not in the course')],
  [2, (stage) => row({ ...member(stage), status: 'accepted' }, 'perhaps not in the course')],
  [
    2,
    (stage) =>
      row(
        { group_id: groupId(stage), user_id: stage.personId(), status: 'accepted' },
        'perhaps not in the course',
      ),
  ],
  [1, (stage) => row({ group_id: 'NO-GROUP', user_id: stage.personId(), status: 'accepted' }, 'no group')],
  [
    1,
    (stage) => row({ group_id: groupId(stage), user_id: 'NOBODY', status: 'deleted' }, 'nobody who exists'),
  ],
];

export function memberships(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(MEMBERSHIPS)(stage), 5, 'fine');
  return { kind: 'group_membership', columns: ['group_id', 'user_id', 'status'], rows };
}
