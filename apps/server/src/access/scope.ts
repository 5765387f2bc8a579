/** Accounts and courses that an admin has access to (OP-14). All others answer as if they did not exist. */
import { type JobAbout, MOST_FOUND_BY, MOST_NAMED_COURSES } from '@lms-admin/contract/jobs';
import { accountInScope, topAccounts } from '@lms-admin/domain/access';
import { ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { LRUCache } from 'lru-cache';
import type { Admin } from '../auth/admin.ts';
import { courseAt, type ReachedCourse } from '../canvas/resources/courses.ts';
import { sisSegment } from '../canvas/sis-path.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import type { AccountTree, AccountTrees } from './account-tree.ts';

export interface ScopeParts {
  canvas: CanvasClient;
  trees: AccountTrees;
  now: () => number;
  /** Called with each batch of courses that is read. */
  onRead?: (courses: readonly ReachedCourse[]) => void;
}

/** Milliseconds for which a course is cached by its number. */
const KEPT_MS = 600_000;
/** Shorter, because an SIS ID can be given to another course at any time. */
const SIS_KEPT_MS = 60_000;
const MOST_KEPT = 100_000;

/** The scope of every admin, with one course cache for all. Anything outside answers as if it did not exist (OP-14). */
export class Scope {
  readonly #parts: ScopeParts;
  readonly #idOfSis = new Map<string, number>();
  readonly #known = new LRUCache<number, { course: ReachedCourse; readAt: number }>({
    // With `max`, the cache would allocate all its entries in advance.
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
    // The whole LMS is in scope, so the tree is not needed.
    if (topAccounts(admin.record) === 'all') return true;
    const { parents } = await this.#parts.trees.tree(admin, id, signal);
    return accountInScope(admin.record, id, parents);
  }

  async course(admin: Admin, id: number, signal?: AbortSignal): Promise<ReachedCourse | null> {
    const found = this.#recall(id, KEPT_MS) ?? (await this.#read(admin, String(id), signal));
    return this.#inReach(admin, found, signal);
  }

  async courseBySisId(admin: Admin, sisId: string, signal?: AbortSignal): Promise<ReachedCourse | null> {
    const found =
      this.#recall(this.#idOfSis.get(sisId), SIS_KEPT_MS) ??
      (await this.#read(admin, sisSegment('course', sisId), signal));
    return this.#inReach(admin, found?.sis_course_id === sisId ? found : null, signal);
  }

  /** Returns the courses that exist in scope, by id. */
  courses(admin: Admin, ids: readonly number[], signal?: AbortSignal): Promise<Map<number, ReachedCourse>> {
    return each(ids, (id) => this.course(admin, id, signal));
  }

  /** Returns the courses that exist in scope, by the requested SIS ID. */
  coursesBySisId(
    admin: Admin,
    sisIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, ReachedCourse>> {
    return each(sisIds, (sisId) => this.courseBySisId(admin, sisId, signal));
  }

  /**
   * Returns names, terms and programmes of courses, so that people can tell entries apart. Programmes are the accounts
   * directly below the root; a programme is omitted if its tree cannot be read.
   */
  async about(admin: Admin, courses: readonly ReachedCourse[]): Promise<JobAbout> {
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

  /** Returns a scope with an empty cache, for checks that need current data. Its reads fill the shared cache. */
  withoutCache(): Scope {
    const { canvas, trees, now } = this.#parts;
    return new Scope({
      canvas,
      trees: trees.withoutCache(),
      now,
      onRead: (courses) => this.remember(courses),
    });
  }

  /** Caches courses that were just read. */
  remember(courses: readonly ReachedCourse[]): void {
    const readAt = this.#parts.now();
    for (const course of courses) {
      this.#known.delete(course.id);
      const sisId = course.sis_course_id;
      const former = sisId === null ? undefined : this.#idOfSis.get(sisId);
      // The course that had this SIS ID before has lost it.
      if (former !== undefined) this.#known.delete(former);
      this.#known.set(course.id, { course, readAt });
      if (sisId !== null) this.#idOfSis.set(sisId, course.id);
    }
  }

  /** Clears the cache when a different LMS answers. */
  forgetAll(): void {
    this.#known.clear();
    this.#idOfSis.clear();
  }

  #recall(id: number | undefined, forMs: number): ReachedCourse | null {
    const kept = id === undefined ? undefined : this.#known.get(id);
    return kept && this.#parts.now() - kept.readAt < forMs ? kept.course : null;
  }

  async #read(admin: Admin, id: string, signal?: AbortSignal): Promise<ReachedCourse | null> {
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
    found: ReachedCourse | null,
    signal: AbortSignal | undefined,
  ): Promise<ReachedCourse | null> {
    return found && (await this.account(admin, found.account_id, signal)) ? found : null;
  }
}

/** Starts all reads together: the client limits how many calls are in flight. */
async function each<K>(
  keys: readonly K[],
  one: (key: K) => Promise<ReachedCourse | null>,
): Promise<Map<K, ReachedCourse>> {
  const distinct = [...new Set(keys)];
  const found = await Promise.all(distinct.map(async (key) => [key, await one(key)] as const));
  return new Map(found.filter((pair): pair is readonly [K, ReachedCourse] => pair[1] !== null));
}

/** Returns the name of the account directly below the root, as far as the tree is known. */
function programmeOf(account: number, tree: AccountTree | null): string | null {
  let at = tree?.accounts.get(account);
  for (;;) {
    const above = at?.parent_account_id == null ? undefined : tree?.accounts.get(at.parent_account_id);
    if (!above || above.id === ROOT_ACCOUNT_ID) return at?.name ?? null;
    at = above;
  }
}
