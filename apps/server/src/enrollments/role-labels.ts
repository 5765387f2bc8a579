/** What the roles of the LMS are called, for reviews and lists. */
import { type Role, role } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';

/** Milliseconds that labels stay known. */
const KNOWN_MS = 300_000;
const roles = z.array(role);

/** Labels by role id, remembered for a short time. */
export class RoleLabels {
  readonly #canvas: CanvasClient;
  readonly #known = new Map<string, { roles: Map<number, Role>; until: number }>();

  constructor(canvas: CanvasClient) {
    this.#canvas = canvas;
  }

  /** Forgets all labels: another LMS answers than before. */
  forgetAll(): void {
    this.#known.clear();
  }

  /** The label of a role; `Role 21` where the LMS does not tell. @throws CanvasError when a token is refused */
  async label(admin: Admin, roleId: number, signal?: AbortSignal): Promise<string> {
    return (await this.#role(admin, roleId, signal))?.label ?? `Role ${roleId}`;
  }

  /** Whether a role is one of students; null where the LMS does not tell. @throws CanvasError when a token is refused */
  async isStudent(admin: Admin, roleId: number, signal?: AbortSignal): Promise<boolean | null> {
    const type = (await this.#role(admin, roleId, signal))?.base_role_type;
    return type === undefined ? null : type === 'StudentEnrollment';
  }

  async #role(admin: Admin, roleId: number, signal?: AbortSignal): Promise<Role | undefined> {
    const { bucket } = admin.token;
    let known = this.#known.get(bucket);
    if (!known || known.until < Date.now()) {
      try {
        const found = await this.#canvas.list({
          token: admin.token,
          method: 'GET',
          path: 'accounts/1/roles',
          query: [['per_page', String(LMS_PAGE_SIZE)]],
          answer: roles,
          ...(signal ? { signal } : {}),
        });
        known = { roles: new Map(found.map((one) => [one.id, one])), until: Date.now() + KNOWN_MS };
        // Tokens come and go; a few are enough to keep.
        if (this.#known.size > 200) this.#known.clear();
        this.#known.set(bucket, known);
      } catch (error) {
        signal?.throwIfAborted();
        // Reading roles needs a right of its own; a missing label is no reason to plan nothing.
        if (!(error instanceof CanvasError) || error.ofToken) throw error;
      }
    }
    return known?.roles.get(roleId);
  }
}
