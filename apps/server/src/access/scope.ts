/** Which accounts and courses lie in an admin's reach (OP-14). Out of reach answers like not existing. */
import type { Course } from '@lms-admin/contract/canvas-objects';
import { type JobAbout, MOST_FOUND_BY, MOST_NAMED_COURSES } from '@lms-admin/contract/jobs';
import { accountInScope, topAccounts } from '@lms-admin/domain/access';
import { ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { LRUCache } from 'lru-cache';
import type { Admin } from '../auth/admin.ts';
import { courseAt } from '../canvas/resources/courses.ts';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import type { AccountTree, AccountTrees } from './account-tree.ts';

export interface ScopeParts {
  canvas: CanvasClient;
  trees: AccountTrees;
  now: () => number;
  /** Is told of each course that is read. */
  onRead?: (courses: readonly Course[]) => void;
}

/** How long a course is known by its number. */
const KEPT_MS = 600_000;
/** How long an SIS ID names the same course without being asked again: it may be given to another course at any time. */
const SIS_KEPT_MS = 60_000;
const MOST_KEPT = 100_000;

/** The scope of every admin, with one memory of courses for all of them. Out of reach answers like not existing (OP-14). */
export class Scope {
  readonly #parts: ScopeParts;
  readonly #idOfSis = new Map<string, number>();
  readonly #known = new LRUCache<number, { course: Course; readAt: number }>({
    // With `max` the places of all of them would be laid out at once.
    maxSize: MOST_KEPT,
    sizeCalculation: () => 1,
    dispose: ({ course }) => {
      if (course.sis_course_id !== null) this.#idOfSis.delete(course.sis_course_id);
    },
  });

  constructor(parts: ScopeParts) {
    this.#parts = parts;
  }

  async account(admin: Admin, id: number, signal?: AbortSignal): Promise<boolean> {
    // The whole LMS is in reach: the tree need not be read.
    if (topAccounts(admin.record) === 'all') return true;
    const { parents } = await this.#parts.trees.tree(admin, id, signal);
    return accountInScope(admin.record, id, parents);
  }

  async course(admin: Admin, id: number, signal?: AbortSignal): Promise<Course | null> {
    const found = this.#recall(id, KEPT_MS) ?? (await this.#read(admin, String(id), signal));
    return this.#inReach(admin, found, signal);
  }

  async courseBySisId(admin: Admin, sisId: string, signal?: AbortSignal): Promise<Course | null> {
    const found =
      this.#recall(this.#idOfSis.get(sisId), SIS_KEPT_MS) ??
      (await this.#read(admin, sisSegment('course', sisId), signal));
    return this.#inReach(admin, found?.sis_course_id === sisId ? found : null, signal);
  }

  /** Those of the courses that exist in reach, by id. */
  courses(admin: Admin, ids: readonly number[], signal?: AbortSignal): Promise<Map<number, Course>> {
    return each(ids, (id) => this.course(admin, id, signal));
  }

  /** Those of the courses that exist in reach, by SIS ID as asked. */
  coursesBySisId(
    admin: Admin,
    sisIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, Course>> {
    return each(sisIds, (sisId) => this.courseBySisId(admin, sisId, signal));
  }

  /**
   * What some courses are called, with their terms and programmes, so that people can tell work apart. Programmes are the
   * accounts below the root; one whose tree cannot be read at the moment is not named.
   */
  async about(admin: Admin, courses: readonly Course[]): Promise<JobAbout> {
    const tree = await this.#parts.trees.tree(admin, courses[0]?.account_id).catch((error: unknown) => {
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

  /** The same with nothing remembered: for what is asked about again because it may have changed. What it reads is remembered here. */
  afresh(): Scope {
    const { canvas, trees, now } = this.#parts;
    return new Scope({ canvas, trees: trees.afresh(), now, onRead: (courses) => this.remember(courses) });
  }

  /** Takes courses that were just read, so that they need not be asked for again. */
  remember(courses: readonly Course[]): void {
    const readAt = this.#parts.now();
    for (const course of courses) {
      this.#known.delete(course.id);
      const sisId = course.sis_course_id;
      const former = sisId === null ? undefined : this.#idOfSis.get(sisId);
      // Whichever course had this SIS ID does not have it any more.
      if (former !== undefined) this.#known.delete(former);
      this.#known.set(course.id, { course, readAt });
      if (sisId !== null) this.#idOfSis.set(sisId, course.id);
    }
  }

  /** Forgets all courses: another LMS answers than before. */
  forgetAll(): void {
    this.#known.clear();
    this.#idOfSis.clear();
  }

  #recall(id: number | undefined, forMs: number): Course | null {
    const kept = id === undefined ? undefined : this.#known.get(id);
    return kept && this.#parts.now() - kept.readAt < forMs ? kept.course : null;
  }

  async #read(admin: Admin, id: string, signal?: AbortSignal): Promise<Course | null> {
    try {
      const course = await courseAt({ canvas: this.#parts.canvas, token: admin.token, signal }, id);
      this.remember([course]);
      this.#parts.onRead?.([course]);
      return course;
    } catch (error) {
      const hidden = error instanceof CanvasError && (error.kind === 'not-found' || error.kind === 'refused');
      if (hidden) return null;
      throw error;
    }
  }

  async #inReach(
    admin: Admin,
    found: Course | null,
    signal: AbortSignal | undefined,
  ): Promise<Course | null> {
    return found && (await this.account(admin, found.account_id, signal)) ? found : null;
  }
}

/** All at once: the client decides how many calls are in flight. */
async function each<K>(keys: readonly K[], one: (key: K) => Promise<Course | null>): Promise<Map<K, Course>> {
  const distinct = [...new Set(keys)];
  const found = await Promise.all(distinct.map(async (key) => [key, await one(key)] as const));
  return new Map(found.filter((pair): pair is readonly [K, Course] => pair[1] !== null));
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
