/**
 * `POST /api/graphql` (reference §17.2, end): reads with the permissions of the REST calls. It cannot write.
 */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { isParams, paramsOf, text } from '../../http/params.ts';
import { mayRead } from '../api/courses.ts';
import { placeOf } from '../api/group-places.ts';
import { currentUser, hasRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import type { Account, Course, Group, GroupCategory, Term } from '../store/model.ts';
import { numberIn, readGlobalId } from './connections.ts';
import { Nodes } from './nodes.ts';
import { SCHEMA } from './schema.ts';

type Named = { id?: string | null; sisId?: string | null };

export function graphqlRoutes({ world }: SandboxContext): FastifyPluginAsync {
  let schema: GraphQLSchema | null = null;

  /**
   * Finds the object at which a query starts, or returns null if it does not exist or the caller cannot see
   * it.
   */
  const rootFor = (request: FastifyRequest) => {
    const nodes = new Nodes(request);
    const account = (found: Account | undefined) => {
      const isShown =
        found?.workflow_state === 'active' &&
        (['manage_account_settings', 'read_roster'] as const).some((right) =>
          hasRight(request, found, right),
        );
      return isShown ? nodes.account(found) : null;
    };
    const course = (found: Course | undefined) =>
      found && found.workflow_state !== 'deleted' && mayRead(request, found) ? nodes.course(found) : null;
    const groupSet = (found: GroupCategory | undefined) => {
      const isShown = found?.deleted_at === null && maySeeGroups(request, found);
      return isShown ? nodes.groupSet(found) : null;
    };
    const group = (found: Group | undefined) =>
      found?.workflow_state === 'available' && maySeeGroups(request, found) ? nodes.group(found) : null;
    const section = (id: number) => {
      const found = world.sections.get(id);
      const isShown = found?.workflow_state === 'active' && course(world.courses.get(found.course_id));
      return isShown ? nodes.section(found) : null;
    };
    const enrollment = (id: number) => {
      const found = world.enrollments.get(id);
      const isShown =
        found &&
        (found.user_id === currentUser(request).id ||
          hasRight(request, world.courses.must(found.course_id), 'read_roster'));
      return isShown ? nodes.enrollment(found) : null;
    };
    const term = (found: Term | undefined) =>
      found && hasRight(request, world.rootAccount, 'read_terms') ? nodes.term(found) : null;
    const user = (id: number) => {
      const found = world.users.get(id);
      const isShown =
        found &&
        found.workflow_state !== 'deleted' &&
        (id === currentUser(request).id || hasRight(request, world.rootAccount, 'read_roster'));
      return isShown ? nodes.user(found) : null;
    };
    const byType: Readonly<Record<string, (id: number) => object | null>> = {
      Account: (id) => account(world.accounts.get(id)),
      Course: (id) => course(world.courses.get(id)),
      Enrollment: enrollment,
      Group: (id) => group(world.groups.get(id)),
      GroupSet: (id) => groupSet(world.groupCategories.get(id)),
      Section: section,
      Term: (id) => term(world.terms.get(id)),
      User: user,
    };
    return {
      account: (args: Named) =>
        account(
          oneOf(
            'Account',
            args,
            (id) => world.accounts.get(id),
            (sis) => world.accounts.by.sis.get(sis),
          ),
        ),
      course: (args: Named) =>
        course(
          oneOf(
            'Course',
            args,
            (id) => world.courses.get(id),
            (sis) => world.courses.by.sis.get(sis),
          ),
        ),
      groupSet: (args: Named) =>
        groupSet(
          oneOf(
            'GroupSet',
            args,
            (id) => world.groupCategories.get(id),
            (sis) => world.groupCategories.by.sis.get(sis),
          ),
        ),
      term: (args: Named) =>
        term(
          oneOf(
            'Term',
            args,
            (id) => world.terms.get(id),
            (sis) => world.terms.by.sis.get(sis),
          ),
        ),
      allCourses: () => ownCourses(request).flatMap((one) => course(one) ?? []),
      legacyNode: ({ _id, type }: { _id: string; type: string }) => byType[type]?.(Number(_id)) ?? null,
      node: ({ id: given }: { id: string }) => {
        const { type, id } = readGlobalId(given);
        return byType[type]?.(id) ?? null;
      },
    };
  };

  const maySeeGroups = (request: FastifyRequest, of: GroupCategory | Group): boolean => {
    const place = placeOf(world, of);
    return hasRight(request, place, 'read_roster') || hasRight(request, place, 'manage_groups');
  };

  const ownCourses = (request: FastifyRequest): Course[] => {
    const own = world.enrollments.by.user.get(currentUser(request).id);
    const ids = new Set(own.filter((e) => e.workflow_state === 'active').map((e) => e.course_id));
    return [...ids].sort((a, b) => a - b).map((id) => world.courses.must(id));
  };

  return async (app) => {
    app.post('/graphql', async (request) => {
      // Loaded here, because few sandboxes are ever queried this way.
      const { buildSchema, graphql } = await import('graphql');
      schema ??= buildSchema(SCHEMA);
      const params = paramsOf(request);
      return graphql({
        schema,
        source: text(params, 'query') ?? '',
        rootValue: rootFor(request),
        variableValues: variablesIn(params['variables']),
        operationName: text(params, 'operationName'),
      });
    });
  };
}

/** @throws unless exactly one of the two is given */
function oneOf<T>(
  type: string,
  { id, sisId }: Named,
  byId: (id: number) => T | undefined,
  bySis: (sisId: string) => T | undefined,
): T | undefined {
  if ((id == null) === (sisId == null)) throw new Error('Must specify exactly one of id or sisId');
  return id == null ? bySis(sisId ?? '') : byId(numberIn(type, id));
}

/** Reads variables given as an object, or as its JSON in a form. */
function variablesIn(given: unknown): Record<string, unknown> {
  if (typeof given !== 'string') return isParams(given) ? { ...given } : {};
  try {
    const read: unknown = JSON.parse(given);
    return isParams(read) ? read : {};
  } catch {
    return {};
  }
}
