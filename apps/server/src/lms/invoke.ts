/** The LMS wrapper: finds, checks and makes calls of the console, and filters their answers (LMS-02, OP-02). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { Answer, LmsCall } from '@lms-admin/contract/lms-calls';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import type { Logger } from 'pino';
import type { Admin } from '../auth/admin.ts';
import type { Grants } from '../auth/grants.ts';
import type { CanvasRequest } from '../canvas/types.ts';
import { cutBy } from '../platform/answers.ts';
import type { Database } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { answer } from '../platform/http.ts';
import { badRequest, issueDetail } from '../platform/http-errors.ts';
import { requireNotHeld } from '../platform/installation.ts';
import { THE_LMS } from '../platform/outside.ts';
import { type MatchedCall, matchCall } from './match.ts';
import {
  type Asking,
  admittingTool,
  type LmsRegistry,
  type Policy,
  type PolicyParts,
  REGISTRY,
  type ReadCall,
} from './policies.ts';

/** A request of the console, before it is matched to a registered call. */
export interface CallRequest {
  url: string;
  type: string;
  payload?: unknown;
}

export interface InvokeParts extends PolicyParts {
  db: Pick<Database, 'db'>;
  grants: Grants;
  log: Logger;
}

/** A call that the admin's flags permit. */
interface Admitted extends ReadCall<never> {
  policy: Policy;
  tool: string;
}

type Page = { page: number; data: unknown };

/** The wrapper around these services. */
export class Invoke {
  readonly #parts: InvokeParts;
  readonly #registry: LmsRegistry;

  constructor(parts: InvokeParts, registry: LmsRegistry = REGISTRY) {
    this.#parts = parts;
    this.#registry = registry;
  }

  /** Returns whether this is the sign-out call. @throws AppError not-allowed, recorded in the audit */
  async isSignOut(request: CallRequest, asking: Asking): Promise<boolean> {
    return (await this.#matched(request, asking)).call.id === 'sign-out';
  }

  /**
   * Makes one call, other than sign-out: the route ends the session itself.
   * @throws AppError not-allowed (registry or flag), not-found (also out of scope), bad-request; CanvasError
   */
  async one(request: CallRequest, asking: Asking): Promise<Answer<unknown>> {
    const started = performance.now();
    const found = await this.#admitted(request, asking);
    await this.#requireReach(found, asking);
    // An import (POST_SIS) becomes a job, which can wait.
    if (found.call.type === 'POST' || found.call.type === 'PUT')
      await requireNotHeld(this.#parts.db.db, THE_LMS);
    try {
      const instead = await this.#insteadOf(found, asking);
      if (instead !== null) return answer(instead);
      const { data, next, status } = await this.#parts.canvas.call(this.#requestOf(found, asking));
      const { paged } = found.call;
      return answer(
        await this.#narrowed(found, asking.admin, data),
        paged && next !== null ? relativeUrl(next) : null,
        status,
      );
    } finally {
      this.#log(found, asking, started);
    }
  }

  /** Yields all pages of a paged call, in order. @throws like `one` */
  async *pages(request: CallRequest, asking: Asking): AsyncGenerator<Page, void, void> {
    const started = performance.now();
    const found = await this.#admitted(request, asking);
    const asksBeside = found.policy.asksBeside === true && !found.policy.instead;
    if (!asksBeside) await this.#requireReach(found, asking);
    if (!found.call.paged) {
      throw new AppError('bad-request', { next: `Use ${ENDPOINTS.invoke} for this call.` });
    }
    try {
      const instead = await this.#insteadOf(found, asking);
      if (instead !== null) {
        yield { page: 1, data: instead };
        return;
      }
      const pages = asksBeside
        ? this.#pagesBeside(found, asking)
        : this.#parts.canvas.pages(this.#requestOf(found, asking));
      for await (const { page, data } of pages) {
        yield { page, data: await this.#narrowed(found, asking.admin, data) };
      }
    } finally {
      this.#log(found, asking, started);
    }
  }

  /** Finds the registered call that the admin may make with this kind of payload. */
  async #matched(request: CallRequest, asking: Asking): Promise<MatchedCall> {
    const mayMake = (call: LmsCall) => admittingTool(asking.admin, call) !== null;
    const found = matchCall(request.type, request.url, mayMake, this.#registry.calls);
    if (!found) throw await this.#refuse(request, asking, 'not registered');
    const hasPayload = request.payload !== undefined && request.payload !== null;
    if (hasPayload && found.call.payload === null)
      throw await this.#refuse(request, asking, 'unexpected payload');
    return found;
  }

  /** Adds policy, tool and parsed payload to the call; its scope is not checked yet. */
  async #admitted(request: CallRequest, asking: Asking): Promise<Admitted> {
    const found = await this.#matched(request, asking);
    const tool = admittingTool(asking.admin, found.call);
    if (!tool) throw await this.#refuse(request, asking, 'no tool of the admin makes this call');
    const policy = this.#registry.policies[found.call.id];
    if (!policy) throw new Error(`the call ${found.call.id} has no policy`);
    const payload = (await this.#payloadOf(found.call, policy, request)) as never;
    return { ...found, payload, policy, tool: tool.id };
  }

  async #refuse(request: CallRequest, { admin, requestId }: Asking, why: string): Promise<AppError> {
    const detail = { why, type: request.type.slice(0, 20), url: request.url.slice(0, 300) };
    const event = 'LMS call refused';
    await this.#parts.audit.write({ login: admin.login, tool: 'lms', event, detail, requestId });
    return new AppError('not-allowed');
  }

  /** Parses the payload with the registry's schema; null if none is declared. */
  async #payloadOf({ payload }: LmsCall, policy: Policy, request: CallRequest): Promise<unknown> {
    if (payload === null) return null;
    if (policy.readPayload) return policy.readPayload(request.payload, this.#parts);
    const read = payload.safeParse(request.payload);
    if (!read.success) throw badRequest(read.error.issues.map(issueDetail));
    return read.data;
  }

  async #requireReach(call: Admitted, { admin, signal }: Asking): Promise<void> {
    const { policy } = call;
    if (policy.inReach && !(await policy.inReach(admin, call, this.#parts, signal)))
      throw new AppError('not-found');
  }

  /** Returns an answer in place of the LMS's; null if the LMS should answer. */
  async #insteadOf(found: Admitted, asking: Asking): Promise<unknown> {
    const data = (await found.policy.instead?.(asking, found, this.#parts)) ?? null;
    return data === null ? null : cutBy(found.call.answer)(data);
  }

  /** Yields the pages of a list, requested while the scope is checked; none is returned before the check succeeds. */
  async *#pagesBeside(found: Admitted, asking: Asking): AsyncGenerator<Page, void, void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([asking.signal, stop.signal]);
    try {
      const pages = this.#parts.canvas.pages(this.#requestOf(found, { ...asking, signal }));
      const first = pages.next();
      // A failed scope check is the answer, whatever the LMS returned.
      first.catch(() => {});
      await this.#requireReach(found, asking);
      for (let got = await first; !got.done; got = await pages.next()) yield got.value;
    } finally {
      stop.abort(new DOMException('the reader has stopped', 'AbortError'));
    }
  }

  #requestOf(found: Admitted, { admin, signal }: Asking): CanvasRequest<unknown> {
    const { call, params, query, payload, policy } = found;
    const paged = call.paged && !query.some(([name]) => name === 'per_page');
    return {
      token: policy.token === 'root' ? admin.token : this.#parts.grants.ownToken(admin.grantId),
      // POST_SIS never gets here: its policy answers instead.
      method: call.type === 'POST_SIS' ? 'POST' : call.type,
      // Canvas would read a dot as the start of a format (reference §1).
      path: call.path.replace(/:(\w+)/g, (_, name: string) => (params[name] ?? '').replaceAll('.', '%2E')),
      query: paged ? [...query, ['per_page', String(LMS_PAGE_SIZE)]] : query,
      ...(payload === null ? {} : { body: payload }),
      answer: policy.reads ?? call.answer,
      signal,
    };
  }

  async #narrowed(found: Admitted, admin: Admin, data: unknown): Promise<unknown> {
    const { policy } = found;
    // The schema of this call has just been applied to the data.
    const seen = policy.narrow ? await policy.narrow(admin, data as never, found, this.#parts) : data;
    return policy.reads ? cutBy(found.call.answer)(seen) : seen;
  }

  #log({ call, tool }: Admitted, { admin, requestId }: Asking, started: number): void {
    const ms = Math.round(performance.now() - started);
    const facts = { reqId: requestId, login: admin.login, tool, call: call.id, ms };
    this.#parts.log.info(facts, 'LMS call');
  }
}

/** Converts a `next` link to the `url` of a further call: relative, with its query as the registry writes it. */
function relativeUrl(next: string): string {
  const [path, search] = next.replace(/^\/api\/v1\//, '').split('?');
  const query = [...new URLSearchParams(search ?? '')]
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return query === '' ? (path ?? '') : `${path}?${query}`;
}
