/** The roles in rows of enrolments, by number and by name. */
import { type Asking } from './ask.ts';
import type { UploadRows } from './upload-rows.ts';

export interface RolesOfLms {
  /** Roles that a name can mean. */
  named: (name: string) => readonly number[];
  /** Name of a role; null for one that no row uses. */
  label: (id: number) => string | null;
  /** Whether the role is a student role; null for one that no row uses, or if unknown. */
  isStudent: (id: number) => boolean | null;
  /**
   * Whether one of these roles may be for observers: for all other roles the LMS ignores the student whom a row names.
   */
  mayObserve: (ids: readonly number[]) => boolean;
}

/** @throws CanvasError if the roles are needed but cannot be read */
export async function rolesOf(
  { services, admin, signal }: Asking,
  uploadRows: UploadRows,
): Promise<RolesOfLms> {
  const named = uploadRows.roleNames.size > 0 ? await services.roles.named(admin.token, signal) : () => [];
  const known = new Map<number, string>();
  const students = new Map<number, boolean | null>();
  const others = new Set<number>();
  const ids = new Set([...[...uploadRows.roles].map(Number), ...[...uploadRows.roleNames].flatMap(named)]);
  for (const id of ids) {
    known.set(id, await services.roles.label(admin.token, id, signal));
    students.set(id, await services.roles.isStudent(admin.token, id, signal));
    if ((await services.roles.isObserver(admin.token, id, signal)) === false) others.add(id);
  }
  return {
    named,
    label: (id) => known.get(id) ?? null,
    isStudent: (id) => students.get(id) ?? null,
    mayObserve: (ids) => ids.length === 0 || ids.some((id) => !others.has(id)),
  };
}
