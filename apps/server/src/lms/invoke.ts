/** The LMS wrapper: a call of the console is looked up, checked, made, and its answer cut down (LMS-02, OP-02). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { Answer, LmsCallId } from '@lms-admin/contract/lms-calls';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import type { AccountTrees } from '../access/account-tree.ts';
import type { Admin } from '../access/admin.ts';
import type { CanvasRequest } from '../canvas/types.ts';
import { readPayload } from '../imports/payload.ts';
import { AppError } from '../platform/errors.ts';
import { answer } from '../platform/http.ts';
import { badRequest, issueDetail } from '../platform/http-errors.ts';
import type { Services } from '../services.ts';
import { type MatchedCall, matchCall } from './match.ts';
import { admittingTool, isHandedOn, POLICIES, type Policy } from './policies.ts';
import { giveSectionSisId } from './section-sis-id.ts';

/** What the console sends, before it is known to be a call. */
export interface Asked {
  url: string;
  type: string;
  payload?: unknown;
}

export interface Asking {
  admin: Admin;
  requestId: string;
  /** Aborts when the browser has gone. */
  signal: AbortSignal;
}

export interface Invoke {
  /**
   * One call. Sign-out is not among them: the route ends the session itself.
   * @throws AppError not-allowed (registry or flag), not-found (also out of reach), bad-request; CanvasError
   */
  one(asked: Asked, asking: Asking): Promise<Answer<unknown>>;
  /** All pages of a paged call, in order. @throws like `one` */
  pages(asked: Asked, asking: Asking): AsyncGenerator<{ page: number; data: unknown }, void, void>;
  /** Whether this is the sign-out call. @throws AppError not-allowed, which is written to the audit */
  isSignOut(asked: Asked, asking: Asking): Promise<boolean>;
}

type Parts = Pick<Services, 'config' | 'canvas' | 'scope' | 'grants' | 'audit' | 'imports' | 'log'> & {
  trees: AccountTrees;
};

/** The wrapper over these services. */
export function createInvoke(parts: Parts): Invoke {
  const { config, canvas, grants, audit, imports, log } = parts;

  async function refuse(asked: Asked, { admin, requestId }: Asking, why: string): Promise<AppError> {
    const detail = { why, type: asked.type.slice(0, 20), url: asked.url.slice(0, 300) };
    await audit.write({ login: admin.login, tool: 'lms', event: 'LMS call refused', detail, requestId });
    return new AppError('not-allowed');
  }

  async function matched(asked: Asked, asking: Asking): Promise<MatchedCall> {
    const found = matchCall(asked.type, asked.url, (call) => admittingTool(asking.admin, call) !== null);
    if (!found) throw await refuse(asked, asking, 'not registered');
    const hasPayload = asked.payload !== undefined && asked.payload !== null;
    if (hasPayload && found.call.payload === null) throw await refuse(asked, asking, 'unexpected payload');
    return found;
  }

  /** The call, once flag and reach admit it. */
  async function admitted(asked: Asked, asking: Asking): Promise<{ found: MatchedCall; tool: string }> {
    const found = await matched(asked, asking);
    const tool = admittingTool(asking.admin, found.call);
    if (!tool) throw await refuse(asked, asking, 'no tool of the admin makes this call');
    const policy = policyOf(found.call.id);
    if (policy?.inReach && !(await policy.inReach(asking.admin, found, parts, asking.signal))) {
      throw new AppError('not-found');
    }
    return { found, tool: tool.id };
  }

  function requestOf(found: MatchedCall, policy: Policy, { admin, signal }: Asking): CanvasRequest<unknown> {
    const paged = found.call.paged && !found.query.some(([name]) => name === 'per_page');
    return {
      token: policy.token === 'root' ? admin.token : grants.ownToken(admin.grantId),
      // POST_SIS never gets here.
      method: found.call.type === 'POST_SIS' ? 'POST' : found.call.type,
      // A dot would be taken for the beginning of a format (reference §1).
      path: found.call.path.replace(/:(\w+)/g, (_, name: string) =>
        (found.params[name] ?? '').replaceAll('.', '%2E'),
      ),
      query: paged ? [...found.query, ['per_page', String(LMS_PAGE_SIZE)]] : found.query,
      answer: found.call.answer,
      signal,
    };
  }

  async function narrowed(found: MatchedCall, policy: Policy, admin: Admin, data: unknown): Promise<unknown> {
    // The registry's schema of this call has just been applied to the data.
    return policy.narrow ? await policy.narrow(admin, data as never, found, parts) : data;
  }

  /** SIS imports, whose record is ours while the LMS is asked in the background; and what takes several calls. */
  async function handOn(found: MatchedCall, asked: Asked, asking: Asking): Promise<Answer<unknown>> {
    if (found.call.id === 'sis-import-status') {
      return answer(await imports.status(asking.admin, found.params.import ?? '', asking.signal));
    }
    if (found.call.id === 'section-sis-id') {
      const read = found.call.payload?.safeParse(asked.payload);
      if (!read?.success) throw badRequest(read?.error.issues.map(issueDetail) ?? []);
      const id = Number(found.params.section);
      return answer(await giveSectionSisId(parts, asking.admin, id, read.data as never, asking.signal));
    }
    const payload = readPayload(asked.payload, config.maxEnrollmentRows);
    return answer(await imports.submit(asking.admin, payload, asking));
  }

  function logged(found: MatchedCall, tool: string, { admin, requestId }: Asking, started: number): void {
    const ms = Math.round(performance.now() - started);
    log.info({ reqId: requestId, login: admin.login, tool, call: found.call.id, ms }, 'LMS call');
  }

  return {
    async isSignOut(asked, asking) {
      return (await matched(asked, asking)).call.id === 'sign-out';
    },
    async one(asked, asking) {
      const started = performance.now();
      const { found, tool } = await admitted(asked, asking);
      try {
        const policy = policyOf(found.call.id);
        if (policy === null) return await handOn(found, asked, asking);
        const instead = await policy.instead?.(asking.admin, found, parts);
        if (instead) return answer(instead);
        const { data, next, status } = await canvas.call(requestOf(found, policy, asking));
        return answer(
          await narrowed(found, policy, asking.admin, data),
          found.call.paged && next !== null ? relativeUrl(next) : null,
          status,
        );
      } finally {
        logged(found, tool, asking, started);
      }
    },
    async *pages(asked, asking) {
      const started = performance.now();
      const { found, tool } = await admitted(asked, asking);
      const policy = policyOf(found.call.id);
      if (policy === null || !found.call.paged) {
        throw new AppError('bad-request', { next: `Use ${ENDPOINTS.invoke} for this call.` });
      }
      try {
        const instead = await policy.instead?.(asking.admin, found, parts);
        if (instead) {
          yield { page: 1, data: instead };
          return;
        }
        for await (const { page, data } of canvas.pages(requestOf(found, policy, asking))) {
          yield { page, data: await narrowed(found, policy, asking.admin, data) };
        }
      } finally {
        logged(found, tool, asking, started);
      }
    },
  };
}

/** Null for calls that are handed on. */
function policyOf(id: LmsCallId): Policy | null {
  return isHandedOn(id) ? null : POLICIES[id];
}

/** A `next` link as the `url` of a further call: relative, its query as the registry writes it. */
function relativeUrl(next: string): string {
  const [path, search] = next.replace(/^\/api\/v1\//, '').split('?');
  const query = [...new URLSearchParams(search ?? '')]
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return query === '' ? (path ?? '') : `${path}?${query}`;
}
