/** What a caller may see of objects in answers (reference §6). */

import type { FastifyRequest } from 'fastify';
import { baseUrl } from '../../http/urls.ts';
import type { Account, Course } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { currentCaller, hasRight } from './auth.ts';

export type View = {
  world: World;
  /** Scheme and host of the sandbox, as the client knows them. */
  base: string;
  /** Whether the caller can see SIS IDs (reads or manages SIS). */
  sis: boolean;
  /** Whether the caller can see `sis_import_id`. */
  manageSis: boolean;
  logins: boolean;
  emails: boolean;
  reports: boolean;
  /** The caller, who can see their own activity without that permission (§16). */
  selfId: number;
};

/** Returns the caller's view of an account or a course. */
export function viewOf(request: FastifyRequest, where: Account | Course): View {
  const manageSis = hasRight(request, where, 'manage_sis');
  return {
    world: currentCaller(request).world,
    base: baseUrl(request),
    sis: manageSis || hasRight(request, where, 'read_sis'),
    manageSis,
    logins: hasRight(request, where, 'view_user_logins'),
    emails: hasRight(request, where, 'read_email_addresses'),
    reports: hasRight(request, where, 'read_reports'),
    selfId: currentCaller(request).user.id,
  };
}
