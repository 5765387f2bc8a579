/** Group Enrollment: the changes for many members. The speed is limited by the LMS. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { MemberPlan } from '@lms-admin/contract/groups';
import { MEMBER_PLAN } from '@lms-admin/contract/plan-kinds';
import { Bench, type Figure, seconds, times } from './support.ts';

const LATENCY = 100;
const IN_FLIGHT = 11;
const MEMBERS = 2_000;
const GROUPS = 100;
/** Members who are not in the course, so that they have to be looked up in the LMS. */
const STRANGERS = 300;
const PER_PAGE = 100;

interface Course {
  id: number;
  sis_course_id: string | null;
}

/** Returns the SIS IDs of everyone who is already in the course. */
async function courseOf(bench: Bench, course: number): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (let page = 1; ; page++) {
    const users = await bench.lms<{ sis_user_id: string | null }[]>(
      `/api/v1/courses/${course}/users?${STATES}&per_page=${PER_PAGE}&page=${page}`,
    );
    if (users.length === 0) return found;
    found.push(...users.map((user) => user.sis_user_id));
  }
}

const STATES = ['active', 'invited', 'completed', 'inactive']
  .map((state) => `enrollment_state[]=${state}`)
  .join('&');

/** Returns the SIS IDs of `count` people. */
async function people(bench: Bench, count: number): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; found.length < count; page++) {
    const users = await bench.lms<{ sis_user_id: string | null }[]>(
      `/api/v1/accounts/1/users?per_page=100&page=${page}`,
    );
    if (users.length === 0) throw new Error('the campus has too few people');
    for (const user of users) if (user.sis_user_id) found.push(user.sis_user_id);
  }
  return found;
}

const lines = (header: string, rows: readonly string[]) => [header, ...rows].join('\n');

/**
 * Measures 2,000 people in 100 groups of a course; half of those in the course are currently in another
 * group.
 */
export async function groupMembers(): Promise<Figure> {
  const bench = await Bench.open();
  try {
    const courses = await bench.lms<Course[]>('/api/v1/accounts/86/courses?per_page=100');
    const course = courses.find((one) => one.sis_course_id !== null);
    if (!course) throw new Error('no course');
    const { id, sis_course_id: sis } = course;
    const there = new Set<string | null>();
    for (const one of await courseOf(bench, id)) there.add(one);
    const sisIds = (await people(bench, MEMBERS + there.size))
      .filter((one) => !there.has(one))
      .slice(0, MEMBERS);
    const inside = sisIds.slice(STRANGERS);
    const group = (at: number) => `${sis}_B-${at % GROUPS}`;
    const groups = Array.from({ length: GROUPS }, (_, at) => at);
    const seated = inside.filter((_, at) => at % 2 === 0);
    await bench.imported(
      lines(
        'course_id,user_id,role_id,status',
        inside.map((person) => `${sis},${person},3,active`),
      ),
      lines('group_category_id,course_id,category_name,status', [`${sis}_Bench,${sis},Bench,active`]),
      lines(
        'group_category_id,group_id,name,status',
        groups.map((at) => `${sis}_Bench,${group(at)},B-${at},available`),
      ),
      lines(
        'group_id,user_id,status',
        seated.map((person, at) => `${group(at + 1)},${person},accepted`),
      ),
    );
    const text = lines(
      'group_id,user_id,status',
      sisIds.map((person, at) => `${group(at)},${person},accepted`),
    );
    const request = { course: id, from: { way: 'csv', text, name: 'bench.csv' } };
    await bench.latency(LATENCY);
    await bench.requests();
    const { ms, plan } = await bench.planned<MemberPlan>(MEMBER_PLAN, ENDPOINTS.memberPlan, request);
    const log = await bench.requests();
    await bench.latency(0);
    // Pages of people, one page of groups and one of categories, and a call for each person who is not in the course.
    const needed = Math.ceil((there.size + inside.length) / PER_PAGE) + 2 + STRANGERS;
    const limit = (needed * LATENCY) / IN_FLIGHT;
    return {
      work: `changes for ${MEMBERS} members in ${GROUPS} groups, ${STRANGERS} of them not in the course, at ${LATENCY} ms`,
      reached: `${times(ms / limit)} of ${needed} calls needed ÷ ${IN_FLIGHT} (${seconds(ms)})`,
      target: 'within 1.4×',
      met: plan.totals.refused === STRANGERS && plan.totals.rows > MEMBERS / 2 && ms / limit <= 1.4,
      note: `${plan.totals.add} added, ${plan.totals.move} moved, ${plan.totals.refused} refused; ${log.throttled} of ${log.total} calls throttled, at most ${log.highWater} at once`,
    };
  } finally {
    await bench.close();
  }
}
