/**
 * The caller's permissions in an account or a course: `GET /accounts/:id/permissions`, `GET
 * /courses/:id/permissions`.
 */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { list, paramsOf } from '../../http/params.ts';
import { currentCaller, hasRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { forbidden } from '../http/errors.ts';
import { findAccount, findCourse } from '../http/find.ts';
import { ALL_RIGHTS, type Right } from '../http/rights.ts';
import type { Account } from '../store/model.ts';
import { accountsOfWork } from './accounts.ts';
import { mayRead } from './courses.ts';
import { isForRoot, PERMISSION_NAMES, permissionsOf } from './json/roles.ts';
import { pathParam } from './lists.ts';

const RIGHTS: ReadonlySet<string> = new Set(ALL_RIGHTS);

export function permissionRoutes({ world }: SandboxContext): FastifyPluginAsync {
  /** Returns the permissions that the caller's roles give in an account and in those above it. */
  const inAccount = (request: FastifyRequest, account: Account): Set<string> => {
    const chain = new Map(world.accountChain(account.id).map((one) => [one.id, one]));
    const names = new Set<string>();
    for (const membership of world.accountUsers.by.user.get(currentCaller(request).user.id)) {
      const place = chain.get(membership.account_id);
      if (!place || membership.workflow_state !== 'active') continue;
      for (const name of permissionsOf(world.roles.must(membership.role_id)))
        if (place.parent_account_id === null || !isForRoot(name)) names.add(name);
    }
    return names;
  };

  /** Returns the permissions that a request names, or all of them. */
  const asked = (request: FastifyRequest): readonly string[] => {
    const names = list(paramsOf(request), 'permissions');
    return names.length > 0 ? names : PERMISSION_NAMES;
  };

  return async (app) => {
    app.get('/accounts/:account_id/permissions', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      const held = inAccount(request, account);
      if (held.size === 0 && !accountsOfWork(request).has(account)) throw forbidden();
      const has = (name: string) =>
        held.has(name) || (RIGHTS.has(name) && hasRight(request, account, name as Right));
      return Object.fromEntries(asked(request).map((name) => [name, has(name)]));
    });

    app.get('/courses/:course_id/permissions', (request) => {
      const course = findCourse(request, pathParam(request, 'course_id'));
      if (!mayRead(request, course)) throw forbidden();
      const held = inAccount(request, world.accounts.must(course.account_id));
      for (const { course_id, type, workflow_state, role_id } of world.enrollments.by.user.get(
        currentCaller(request).user.id,
      )) {
        if (course_id !== course.id || workflow_state !== 'active') continue;
        const role = world.roles.get(role_id);
        for (const name of permissionsOf({ name: role?.name ?? type, base_role_type: type })) held.add(name);
      }
      const has = (name: string) =>
        held.has(name) || (RIGHTS.has(name) && hasRight(request, course, name as Right));
      return Object.fromEntries(asked(request).map((name) => [name, has(name)]));
    });
  };
}
