/**
 * Finds the objects that a request names, or throws a 404: missing and deleted objects look the same
 * (reference §3).
 */

import type { FastifyRequest } from 'fastify';
import type { Account, Course, Group, GroupCategory, Section, Term, User } from '../store/model.ts';
import { currentCaller } from './auth.ts';
import { notFound } from './errors.ts';
import {
  lookupAccount,
  lookupCourse,
  lookupGroup,
  lookupGroupCategory,
  lookupSection,
  lookupTerm,
  lookupUser,
} from './lookup.ts';

/** Finds the account that a parameter of the request names. */
export function findAccount(request: FastifyRequest, param: string): Account {
  const { world } = currentCaller(request);
  const account = lookupAccount(world, param);
  if (account?.workflow_state !== 'active') throw notFound();
  return account;
}

/** Finds a course that is not deleted (or any, with `deletedToo`). */
export function findCourse(
  request: FastifyRequest,
  param: string,
  options?: { deletedToo: boolean },
): Course {
  const course = lookupCourse(currentCaller(request).world, param);
  if (!course || (course.workflow_state === 'deleted' && !options?.deletedToo)) throw notFound();
  return course;
}

/** Finds a section that is not deleted, in a course that is not deleted. */
export function findSection(request: FastifyRequest, param: string): Section {
  const { world } = currentCaller(request);
  const section = lookupSection(world, param);
  if (section?.workflow_state !== 'active') throw notFound();
  if (world.courses.must(section.course_id).workflow_state === 'deleted') throw notFound();
  return section;
}

/** Finds a user that is not deleted; `self` is the caller. */
export function findUser(request: FastifyRequest, param: string): User {
  const { world, user: self } = currentCaller(request);
  const user = lookupUser(world, param, self);
  if (!user || user.workflow_state === 'deleted') throw notFound();
  return user;
}

/** Finds a term that is not deleted. */
export function findTerm(request: FastifyRequest, param: string): Term {
  const term = lookupTerm(currentCaller(request).world, param);
  if (term?.workflow_state !== 'active') throw notFound();
  return term;
}

/** Finds a group that is not deleted. */
export function findGroup(request: FastifyRequest, param: string): Group {
  const group = lookupGroup(currentCaller(request).world, param);
  if (group?.workflow_state !== 'available') throw notFound();
  return group;
}

/**
 * Finds a group category that is not deleted. Returns undefined for a missing one, because Canvas has a
 * special answer for it.
 */
export function findGroupCategory(request: FastifyRequest, param: string): GroupCategory | undefined {
  const category = lookupGroupCategory(currentCaller(request).world, param);
  return category?.deleted_at === null ? category : undefined;
}
