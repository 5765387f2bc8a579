/** The roles that rows of enrolments give, by number and by name. */
import { type Asking } from './ask.ts';
import type { Gathered } from './gathered.ts';

export interface RolesOfLms {
  /** Roles that a name may stand for. */
  named: (name: string) => readonly number[];
  /** What a role is called; null for one that no row gives. */
  label: (id: number) => string | null;
  /** Whether a role is one of students; null for one that no row gives, or where the LMS does not tell. */
  isStudent: (id: number) => boolean | null;
}

/** @throws CanvasError when the roles are needed and cannot be read */
export async function rolesOf({ services, admin, signal }: Asking, gathered: Gathered): Promise<RolesOfLms> {
  const named = gathered.roleNames.size > 0 ? await services.roles.named(admin.token, signal) : () => [];
  const known = new Map<number, string>();
  const students = new Map<number, boolean | null>();
  const ids = new Set([...[...gathered.roles].map(Number), ...[...gathered.roleNames].flatMap(named)]);
  for (const id of ids) {
    known.set(id, await services.roles.label(admin.token, id, signal));
    students.set(id, await services.roles.isStudent(admin.token, id, signal));
  }
  return { named, label: (id) => known.get(id) ?? null, isStudent: (id) => students.get(id) ?? null };
}
