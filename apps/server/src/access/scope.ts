/** Which accounts and courses lie in an admin's reach (OP-14). Out of reach answers like not existing. */
import { type Course, course as courseSchema } from '@lms-admin/contract/canvas-objects';
import { accountInScope, topAccounts } from '@lms-admin/domain/access';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import type { AccountTrees } from './account-tree.ts';
import type { Admin, Scope } from './admin.ts';

export interface ScopeParts {
  canvas: CanvasClient;
  trees: AccountTrees;
  now: () => number;
}

const KEPT_MS = 600_000;
const MOST_KEPT = 100_000;

/** The scope of every admin, with one memory of courses for all of them. */
export function createScope({ canvas, trees, now }: ScopeParts): Scope {
  const known = new Map<number, { course: Course; until: number }>();
  const idOfSis = new Map<string, number>();

  async function account(admin: Admin, id: number): Promise<boolean> {
    // The whole LMS is in reach: the tree need not be read.
    if (topAccounts(admin.record) === 'all') return true;
    const { parents } = await trees.tree(admin, id);
    return accountInScope(admin.record, id, parents);
  }

  function remember(courses: readonly Course[]): void {
    const until = now() + KEPT_MS;
    for (const course of courses) {
      // The oldest is first in a Map.
      if (known.size >= MOST_KEPT) forget(known.keys().next().value);
      known.delete(course.id);
      known.set(course.id, { course, until });
      if (course.sis_course_id !== null) idOfSis.set(course.sis_course_id, course.id);
    }
  }

  function forget(id: number | undefined): void {
    const kept = id === undefined ? undefined : known.get(id);
    if (id === undefined || !kept) return;
    known.delete(id);
    const sisId = kept.course.sis_course_id;
    if (sisId !== null && idOfSis.get(sisId) === id) idOfSis.delete(sisId);
  }

  function recall(id: number | undefined): Course | null {
    const kept = id === undefined ? undefined : known.get(id);
    return kept && kept.until > now() ? kept.course : null;
  }

  async function read(admin: Admin, id: string, signal?: AbortSignal): Promise<Course | null> {
    try {
      const { data } = await canvas.call({
        token: admin.token,
        method: 'GET',
        path: `courses/${id}`,
        query: [['include[]', 'term']],
        answer: courseSchema,
        ...(signal ? { signal } : {}),
      });
      remember([data]);
      return data;
    } catch (error) {
      const hidden = error instanceof CanvasError && (error.kind === 'not-found' || error.kind === 'refused');
      if (hidden) return null;
      throw error;
    }
  }

  async function inReach(admin: Admin, found: Course | null): Promise<Course | null> {
    return found && (await account(admin, found.account_id)) ? found : null;
  }

  async function course(admin: Admin, id: number, signal?: AbortSignal): Promise<Course | null> {
    return inReach(admin, recall(id) ?? (await read(admin, String(id), signal)));
  }

  async function courseBySisId(admin: Admin, sisId: string, signal?: AbortSignal): Promise<Course | null> {
    const found = recall(idOfSis.get(sisId)) ?? (await read(admin, sisPath(sisId), signal));
    return inReach(admin, found?.sis_course_id === sisId ? found : null);
  }

  /** All at once: the client decides how many calls are in flight. */
  async function each<K>(keys: readonly K[], one: (key: K) => Promise<Course | null>) {
    const distinct = [...new Set(keys)];
    const found = await Promise.all(distinct.map(async (key) => [key, await one(key)] as const));
    return new Map(found.filter((pair): pair is readonly [K, Course] => pair[1] !== null));
  }

  return {
    account,
    course,
    courseBySisId,
    courses: (admin, ids, signal) => each(ids, (id) => course(admin, id, signal)),
    coursesBySisId: (admin, sisIds, signal) => each(sisIds, (sisId) => courseBySisId(admin, sisId, signal)),
    remember,
  };
}

/** A dot must be encoded too: Canvas would take what follows it for a format (reference §1). */
function sisPath(sisId: string): string {
  return `sis_course_id:${encodeURIComponent(sisId).replaceAll('.', '%2E')}`;
}
