/** The role in which a person is to be enrolled, and errors about it in the request. */

import { type Params, text } from '../../http/params.ts';
import { ApiError } from '../http/errors.ts';
import { type Course, ENROLLMENT_TYPES, type Role } from '../store/model.ts';
import type { World } from '../store/world.ts';

/** @throws ApiError 400 with all errors, in Canvas's words */
export function readNewEnrollment(
  world: World,
  course: Course,
  fields: Params,
): { role: Role; userParam: string } {
  if (Object.keys(fields).length === 0) throw refusal(['No parameters given']);
  const errors: string[] = [];
  const role = roleIn(world, course, fields, errors);
  const userParam = text(fields, 'user_id') || null;
  if (userParam === null)
    errors.push(
      "Can't create an enrollment without a user. Include enrollment[user_id] to create an enrollment",
    );
  if (!role || userParam === null || errors.length > 0) throw refusal(errors);
  return { role, userParam };
}

/** Finds the role by number, name or type; without any of them, the role is student. */
function roleIn(world: World, course: Course, fields: Params, errors: string[]): Role | undefined {
  const type = text(fields, 'type') || null;
  const id = text(fields, 'role_id');
  const name = text(fields, 'role');
  if (id === null && name === null) {
    const builtIn = world.roles.by.name.get(type ?? 'StudentEnrollment').find(isBuiltIn);
    if (!isForCourses(builtIn)) errors.push('Invalid type');
    return builtIn;
  }
  const found = id === null ? named(world, course, name) : world.roles.get(Number(id));
  if (!found || !isForCourses(found) || !isHere(world, course, found)) errors.push('Invalid role');
  else if (found.workflow_state === 'inactive')
    errors.push('Cannot create an enrollment with this role because it is inactive.');
  else if (type !== null && type !== found.base_role_type)
    errors.push('The specified type must match the base type for the role');
  return found;
}

function named(world: World, course: Course, name: string | null): Role | undefined {
  return world.roles.by.name.get(name ?? '').find((role) => isHere(world, course, role));
}

/**
 * Returns whether a role belongs to the course's account or one above it and is not deleted; its state does
 * not matter.
 */
function isHere(world: World, course: Course, role: Role): boolean {
  if (role.workflow_state === 'deleted') return false;
  return isBuiltIn(role) || world.accountChain(course.account_id).some(({ id }) => id === role.account_id);
}

function isBuiltIn({ workflow_state }: Role): boolean {
  return workflow_state === 'built_in';
}

function isForCourses(role: Role | undefined): boolean {
  return (ENROLLMENT_TYPES as readonly string[]).includes(role?.base_role_type ?? '');
}

function refusal(errors: readonly string[]): ApiError {
  return new ApiError(400, { message: errors.join(', ') });
}
