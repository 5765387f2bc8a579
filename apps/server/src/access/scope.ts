/** Which accounts and courses lie in an admin's reach (OP-14). Out of reach answers like not existing. */
import { type Course, course as courseSchema } from '@lms-admin/contract/canvas-objects';
import { type JobAbout, MOST_FOUND_BY, MOST_NAMED_COURSES } from '@lms-admin/contract/jobs';
import { accountInScope, topAccounts } from '@lms-admin/domain/access';
import { ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { LRUCache } from 'lru-cache';
import type { Admin } from '../auth/admin.ts';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import type { AccountTree, AccountTrees } from './account-tree.ts';

/** What lies in an admin's reach. Out of reach answers like not existing (OP-14). */
export interface Scope {
  account(admin: Admin, id: number, signal?: AbortSignal): Promise<boolean>;
  course(admin: Admin, id: number, signal?: AbortSignal): Promise<Course | null>;
  courseBySisId(admin: Admin, sisId: string, signal?: AbortSignal): Promise<Course | null>;
  /** Those of the courses that exist in reach, by id. */
  courses(admin: Admin, ids: readonly number[], signal?: AbortSignal): Promise<Map<number, Course>>;
  /** Those of the courses that exist in reach, by SIS id as asked. */
  coursesBySisId(admin: Admin, sisIds: readonly string[], signal?: AbortSignal): Promise<Map<string, Course>>;
  /** What some courses are called, with their terms and programmes, so that people can tell work apart. */
  about(admin: Admin, courses: readonly Course[]): Promise<JobAbout>;
  /** The same with nothing remembered: for what is asked about once more because it may have changed. What it reads is remembered here. */
  afresh(): Scope;
  /** Takes courses that were just read, so that they need not be asked for again. */
  remember(courses: readonly Course[]): void;
  /** Forgets all courses: another LMS answers than before. */
  forgetAll(): void;
}

export interface ScopeParts {
  canvas: CanvasClient;
  trees: AccountTrees;
  now: () => number;
  /** Is told of each course that is read. */
  onRead?: (courses: readonly Course[]) => void;
}

/** How long a course is known by its number. */
const KEPT_MS = 600_000;
/** How long a SIS id names the same course without being asked again: it may be given to another course at any time. */
const SIS_KEPT_MS = 60_000;
const MOST_KEPT = 100_000;

/** The scope of every admin, with one memory of courses for all of them. */
export function createScope({ canvas, trees, now, onRead }: ScopeParts): Scope {
  const idOfSis = new Map<string, number>();
  const known = new LRUCache<number, { course: Course; readAt: number }>({
    // With `max` the places of all of them would be laid out at once.
    maxSize: MOST_KEPT,
    sizeCalculation: () => 1,
    dispose: ({ course }) => {
      if (course.sis_course_id !== null) idOfSis.delete(course.sis_course_id);
    },
  });

  async function account(admin: Admin, id: number, signal?: AbortSignal): Promise<boolean> {
    // The whole LMS is in reach: the tree need not be read.
    if (topAccounts(admin.record) === 'all') return true;
    const { parents } = await trees.tree(admin, id, signal);
    return accountInScope(admin.record, id, parents);
  }

  function remember(courses: readonly Course[]): void {
    const readAt = now();
    for (const course of courses) {
      known.delete(course.id);
      const sisId = course.sis_course_id;
      const former = sisId === null ? undefined : idOfSis.get(sisId);
      // Whichever course had this SIS id does not have it any more.
      if (former !== undefined) known.delete(former);
      known.set(course.id, { course, readAt });
      if (sisId !== null) idOfSis.set(sisId, course.id);
    }
  }

  function recall(id: number | undefined, forMs: number): Course | null {
    const kept = id === undefined ? undefined : known.get(id);
    return kept && now() - kept.readAt < forMs ? kept.course : null;
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
      onRead?.([data]);
      return data;
    } catch (error) {
      const hidden = error instanceof CanvasError && (error.kind === 'not-found' || error.kind === 'refused');
      if (hidden) return null;
      throw error;
    }
  }

  async function inReach(
    admin: Admin,
    found: Course | null,
    signal: AbortSignal | undefined,
  ): Promise<Course | null> {
    return found && (await account(admin, found.account_id, signal)) ? found : null;
  }

  async function course(admin: Admin, id: number, signal?: AbortSignal): Promise<Course | null> {
    return inReach(admin, recall(id, KEPT_MS) ?? (await read(admin, String(id), signal)), signal);
  }

  async function courseBySisId(admin: Admin, sisId: string, signal?: AbortSignal): Promise<Course | null> {
    const found =
      recall(idOfSis.get(sisId), SIS_KEPT_MS) ?? (await read(admin, sisSegment('course', sisId), signal));
    return inReach(admin, found?.sis_course_id === sisId ? found : null, signal);
  }

  /** All at once: the client decides how many calls are in flight. */
  async function each<K>(keys: readonly K[], one: (key: K) => Promise<Course | null>) {
    const distinct = [...new Set(keys)];
    const found = await Promise.all(distinct.map(async (key) => [key, await one(key)] as const));
    return new Map(found.filter((pair): pair is readonly [K, Course] => pair[1] !== null));
  }

  /** Programmes are the accounts below the root; one whose tree cannot be read at the moment is not named. */
  async function about(admin: Admin, courses: readonly Course[]): Promise<JobAbout> {
    const tree = await trees.tree(admin, courses[0]?.account_id).catch((error: unknown) => {
      if (error instanceof CanvasError) return null;
      throw error;
    });
    const programmes = courses.flatMap(({ account_id }) => programmeOf(account_id, tree) ?? []);
    return {
      courses: courses.slice(0, MOST_NAMED_COURSES).map(({ name }) => name),
      more: Math.max(0, courses.length - MOST_NAMED_COURSES),
      sis_ids: courses.slice(0, MOST_FOUND_BY).map(({ sis_course_id }) => sis_course_id ?? ''),
      terms: [...new Set(courses.flatMap(({ term }) => term?.name ?? []))],
      programmes: [...new Set(programmes)],
    };
  }

  return {
    account,
    about,
    course,
    courseBySisId,
    courses: (admin, ids, signal) => each(ids, (id) => course(admin, id, signal)),
    coursesBySisId: (admin, sisIds, signal) => each(sisIds, (sisId) => courseBySisId(admin, sisId, signal)),
    afresh: () => createScope({ canvas, trees: trees.afresh(), now, onRead: remember }),
    remember,
    forgetAll() {
      known.clear();
      idOfSis.clear();
    },
  };
}

/** Name of the account right below the root, as far up as the tree goes. */
function programmeOf(account: number, tree: AccountTree | null): string | null {
  let at = tree?.accounts.get(account);
  for (;;) {
    const above = at?.parent_account_id == null ? undefined : tree?.accounts.get(at.parent_account_id);
    if (!above || above.id === ROOT_ACCOUNT_ID) return at?.name ?? null;
    at = above;
  }
}
