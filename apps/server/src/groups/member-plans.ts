/** Plans of people in groups: who is added, moves or is removed, row by row. Nothing is changed here (area GRP). */
import { type MemberPlan, type MemberPlanRequest, plannedMember } from '@lms-admin/contract/groups';
import { changes, type MemberDifference, type MemberRow, planMembers } from '@lms-admin/domain/group-members';
import { unanswered } from '@lms-admin/domain/group-references';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { noSuchPlan, readPlan, writePlan } from '../imports/plan-store.ts';
import { counted } from '../platform/text.ts';
import { courseRows, fileRows } from './asked-members.ts';
import { groupsElsewhere, peopleElsewhere } from './elsewhere.ts';
import {
  counting,
  type GroupPlanProgress,
  type GroupServices,
  type KeptMember,
  type KeptRows,
  openCourse,
  TOOL,
} from './plan-parts.ts';
import { readGroupCourse } from './read-course.ts';

export interface MemberPlans {
  /** @throws AppError not-allowed, not-found (course), bad-request */
  check(admin: Admin, request: MemberPlanRequest): Promise<{ label: string }>;
  /**
   * Works out a plan and stores it for a day.
   * @throws like `check`; AppError bad-request (the file), too-many-rows; CanvasError; the signal's reason
   */
  make(
    admin: Admin,
    request: MemberPlanRequest,
    id: string,
    progress: GroupPlanProgress,
  ): Promise<MemberPlan>;
  /** A plan that this admin made. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<MemberPlan>;
}

export function createMemberPlans(services: GroupServices): MemberPlans {
  const { canvas, db, identity } = services;

  return {
    async check(admin, { course: id }) {
      const course = await openCourse(services, admin, id);
      return { label: `Review: people in groups of ${course.name}` };
    },

    async make(admin, request, id, progress) {
      const { signal } = progress;
      const lms = await identity.lastSeen(admin.token);
      const course = await openCourse(services, admin, request.course, signal);
      const fromFile = await fileRows(request.from);
      const reading = { stage: 'Reading the course', unit: 'people', total: null } as const;
      progress.onStep({ ...reading, done: 0 });
      const index = await readGroupCourse({ canvas, token: admin.token, signal }, course.id, (done) =>
        progress.onStep({ ...reading, done }),
      );
      const { rows: asked, by, source } = fromFile ?? courseRows(request.from, index);
      const elsewhere = await lookUp(admin, unanswered(asked, { index, by }), by, progress);
      const difference = planMembers(asked, { index, by, elsewhere });
      const { rows, groups } = difference;
      const totals = totalsOf(rows);
      const summary = {
        id,
        created_at: new Date().toISOString(),
        course,
        source,
        // Only what travels.
        members: rows.map((row) => plannedMember.parse(row)),
        groups: groups.map(({ group, before, after }) => ({
          id: group.id,
          sis_group_id: group.sisId ?? '',
          name: group.name,
          category: index.category(group.category)?.name ?? '',
          before,
          after,
        })),
        totals,
      };
      signal.throwIfAborted();
      await writePlan<KeptRows>(db.db, {
        login: admin.login,
        tool: TOOL,
        roleId: null,
        status: null,
        label: `${labelOf(difference)} in ${course.name}`,
        lms,
        summary,
        people: [],
        courses: [
          {
            courseId: course.id,
            sisCourseId: course.sis_course_id,
            rowCount: totals.rows,
            rows: { kind: 'members', rows: rows.filter(changes).map(keptOf) },
          },
        ],
      });
      return { ...summary, import_id: null };

      function keptOf(row: MemberRow): KeptMember {
        return {
          row: row.row,
          user_id: row.user_id,
          group_id: row.group_id,
          status: row.status,
          fate: row.fate,
          who: row.who ?? 0,
          where: row.where ?? 0,
          person: row.person ?? '',
          group: row.group ?? '',
          leaves: row.leaves.map((left) => {
            const group = index.group(left);
            return { id: left, sis_group_id: group?.sisId ?? null, name: group?.name ?? '' };
          }),
        };
      }
    },

    async get(admin, id) {
      requireTool(admin, TOOL);
      const plan = await readPlan<MemberPlan>(db.db, admin.login, TOOL, id, identity.known());
      // The other kind of plan of this tool is another thing.
      if (!plan || !('members' in plan)) throw noSuchPlan();
      return plan;
    },
  };

  async function lookUp(
    admin: Admin,
    { people, groups }: ReturnType<typeof unanswered>,
    by: Parameters<typeof peopleElsewhere>[3],
    progress: GroupPlanProgress,
  ) {
    const { signal } = progress;
    const onGroup = counting(progress, { stage: 'Looking up groups', unit: 'groups' }, groups.length);
    const found = await groupsElsewhere(services, admin, groups, signal, onGroup);
    const onResult = counting(progress, { stage: 'Looking up people', unit: 'people' }, people.length);
    return {
      groups: found,
      people: await peopleElsewhere(services.people, admin, people, by, { signal, onResult }),
    };
  }
}

function totalsOf(rows: readonly MemberRow[]): MemberPlan['totals'] {
  const count = (fate: MemberRow['fate']) => rows.filter((one) => one.fate === fate).length;
  const sent = rows.filter(changes);
  return {
    add: count('add'),
    move: count('move'),
    already: count('already'),
    remove: count('remove'),
    not_member: count('not-member'),
    refused: count('refused'),
    rows: sent.length,
    people: new Set(sent.map(({ who }) => who)).size,
  };
}

/** `Add 40 people to 8 groups, move 3, remove 2`. */
function labelOf({ rows }: MemberDifference): string {
  const parts: string[] = [];
  for (const [fate, verb, to] of [
    ['add', 'add', 'to'],
    ['move', 'move', 'to'],
    ['remove', 'remove', 'from'],
  ] as const) {
    const those = rows.filter((one) => one.fate === fate);
    if (those.length === 0) continue;
    const people = new Set(those.map(({ who }) => who)).size;
    const groups = new Set(those.map(({ where }) => where)).size;
    parts.push(
      parts.length === 0
        ? `${verb} ${counted(people, 'person', 'people')} ${to} ${counted(groups, 'group')}`
        : `${verb} ${people}`,
    );
  }
  const label = parts.length === 0 ? 'nothing to change' : parts.join(', ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}
