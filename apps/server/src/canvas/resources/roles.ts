/** Roles of the LMS: their labels, and the roles that a name can mean. */
import { type Role, role } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE, ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type CanvasClient, CanvasError, type CanvasToken } from '../types.ts';

/** Milliseconds for which roles are cached. */
const KNOWN_MS = 300_000;
/** Tokens come and go, so the roles of a limited number of tokens are kept. */
const MOST_TOKENS = 200;

const roles = z.array(role);
/** Names of the built-in roles, in any letter case. */
const WORDS: Readonly<Record<string, string>> = {
  student: 'StudentEnrollment',
  teacher: 'TeacherEnrollment',
  ta: 'TaEnrollment',
  observer: 'ObserverEnrollment',
  designer: 'DesignerEnrollment',
};

/** Reads roles and caches them for a short time. */
export class Roles {
  readonly #canvas: CanvasClient;
  readonly #known = new LRUCache<string, Map<number, Role>>({ max: MOST_TOKENS, ttl: KNOWN_MS });

  constructor(canvas: CanvasClient) {
    this.#canvas = canvas;
  }

  /** Clears the cache when a different LMS answers. */
  forgetAll(): void {
    this.#known.clear();
  }

  /** Returns a role's label; `Role 21` if the LMS does not return one. @throws CanvasError if a token is refused */
  async label(token: CanvasToken, roleId: number, signal?: AbortSignal): Promise<string> {
    return (await this.#role(token, roleId, signal))?.label ?? `Role ${roleId}`;
  }

  /** Returns whether a role is for students; null if unknown. @throws CanvasError if a token is refused */
  async isStudent(token: CanvasToken, roleId: number, signal?: AbortSignal): Promise<boolean | null> {
    return this.#isOf('StudentEnrollment', token, roleId, signal);
  }

  /** Returns whether a role is for observers; null if unknown. @throws CanvasError if a token is refused */
  async isObserver(token: CanvasToken, roleId: number, signal?: AbortSignal): Promise<boolean | null> {
    return this.#isOf('ObserverEnrollment', token, roleId, signal);
  }

  async #isOf(
    base: string,
    token: CanvasToken,
    roleId: number,
    signal?: AbortSignal,
  ): Promise<boolean | null> {
    const type = (await this.#role(token, roleId, signal))?.base_role_type;
    return type === undefined ? null : type === base;
  }

  /**
   * Reads, without caching, the roles that the LMS may understand by a name in the `role` column (reference §9.5).
   * @returns a function from a name to role ids: custom names match exactly, built-in ones in any letter case
   * @throws CanvasError
   */
  async named(token: CanvasToken, signal?: AbortSignal): Promise<(name: string) => readonly number[]> {
    const found = await this.#read(token, signal);
    return (name) => {
      const word = name.toLowerCase();
      const builtIn = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
      return found.filter((one) => one.role === name || one.role === builtIn).map((one) => one.id);
    };
  }

  /** Returns whether a role number exists; null if unknown. @throws CanvasError if a token is refused */
  async numbered(token: CanvasToken, signal?: AbortSignal): Promise<(roleId: number) => boolean | null> {
    const known = await this.#all(token, signal);
    return (roleId) => known?.has(roleId) ?? null;
  }

  async #role(token: CanvasToken, roleId: number, signal?: AbortSignal): Promise<Role | undefined> {
    return (await this.#all(token, signal))?.get(roleId);
  }

  async #all(token: CanvasToken, signal?: AbortSignal): Promise<Map<number, Role> | undefined> {
    let known = this.#known.get(token.bucket);
    if (!known) {
      try {
        known = new Map((await this.#read(token, signal)).map((one) => [one.id, one]));
        this.#known.set(token.bucket, known);
      } catch (error) {
        signal?.throwIfAborted();
        // Reading roles needs its own permission; a missing label must not stop a plan.
        if (!(error instanceof CanvasError) || error.ofToken) throw error;
      }
    }
    return known;
  }

  #read(token: CanvasToken, signal?: AbortSignal): Promise<Role[]> {
    return this.#canvas.list({
      token,
      method: 'GET',
      path: `accounts/${ROOT_ACCOUNT_ID}/roles`,
      query: [['per_page', String(LMS_PAGE_SIZE)]],
      answer: roles,
      ...(signal ? { signal } : {}),
    });
  }
}
