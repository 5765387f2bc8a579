/** Roles of the LMS: what they are called, and which of them a name represents. */
import { type Role, role } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE, ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type CanvasClient, CanvasError, type CanvasToken } from '../types.ts';

/** Milliseconds that roles stay known. */
const KNOWN_MS = 300_000;
/** Tokens come and go; the roles that a few of them see are enough to keep. */
const MOST_TOKENS = 200;

const roles = z.array(role);
/** Words that name the built-in roles, in any letter case. */
const WORDS: Readonly<Record<string, string>> = {
  student: 'StudentEnrollment',
  teacher: 'TeacherEnrollment',
  ta: 'TaEnrollment',
  observer: 'ObserverEnrollment',
  designer: 'DesignerEnrollment',
};

/** Reads roles, and remembers them for a short time. */
export class Roles {
  readonly #canvas: CanvasClient;
  readonly #known = new LRUCache<string, Map<number, Role>>({ max: MOST_TOKENS, ttl: KNOWN_MS });

  constructor(canvas: CanvasClient) {
    this.#canvas = canvas;
  }

  /** Forgets all roles: another LMS answers than before. */
  forgetAll(): void {
    this.#known.clear();
  }

  /** The label of a role; `Role 21` where the LMS does not tell. @throws CanvasError when a token is refused */
  async label(token: CanvasToken, roleId: number, signal?: AbortSignal): Promise<string> {
    return (await this.#role(token, roleId, signal))?.label ?? `Role ${roleId}`;
  }

  /** Whether a role is one of students; null where the LMS does not tell. @throws CanvasError when a token is refused */
  async isStudent(token: CanvasToken, roleId: number, signal?: AbortSignal): Promise<boolean | null> {
    const type = (await this.#role(token, roleId, signal))?.base_role_type;
    return type === undefined ? null : type === 'StudentEnrollment';
  }

  /**
   * Reads, and never remembers, which roles the LMS may understand by a name in the `role` column (reference §9.5).
   * @returns the ids that a name may stand for: custom names by their letters, the words in any letter case
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

  /** Whether the LMS has a role of a number; null where it does not tell. @throws CanvasError when a token is refused */
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
        // Reading roles needs a right of its own; a missing label is no reason to plan nothing.
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
