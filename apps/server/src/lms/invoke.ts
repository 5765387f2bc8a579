/** The LMS wrapper: a call of the console is looked up, checked, made, and its answer cut down (LMS-02, OP-02). */
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

/** What the console sends, before it is known to be a call. */
export interface Asked {
  url: string;
  type: string;
  payload?: unknown;
}

export interface InvokeParts extends PolicyParts {
  db: Pick<Database, 'db'>;
  grants: Grants;
  log: Logger;
}

/** A call that the flag admits. */
interface Admitted extends ReadCall<never> {
  policy: Policy;
  tool: string;
}

type Page = { page: number; data: unknown };

/** The wrapper over these services. */
export class Invoke {
  readonly #parts: InvokeParts;
  readonly #registry: LmsRegistry;

  constructor(parts: InvokeParts, registry: LmsRegistry = REGISTRY) {
    this.#parts = parts;
    this.#registry = registry;
  }

  /** Whether this is the sign-out call. @throws AppError not-allowed, which is written to the audit */
  async isSignOut(asked: Asked, asking: Asking): Promise<boolean> {
    return (await this.#matched(asked, asking)).call.id === 'sign-out';
  }

  /**
   * One call. Sign-out is not among them: the route ends the session itself.
   * @throws AppError not-allowed (registry or flag), not-found (also out of reach), bad-request; CanvasError
   */
  async one(asked: Asked, asking: Asking): Promise<Answer<unknown>> {
    const started = performance.now();
    const found = await this.#admitted(asked, asking);
    await this.#requireReach(found, asking);
    // An import (POST_SIS) becomes a job, which waits.
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

  /** All pages of a paged call, in order. @throws like `one` */
  async *pages(asked: Asked, asking: Asking): AsyncGenerator<Page, void, void> {
    const started = performance.now();
    const found = await this.#admitted(asked, asking);
    const askedBeside = found.policy.askedBeside === true && !found.policy.instead;
    if (!askedBeside) await this.#requireReach(found, asking);
    if (!found.call.paged) {
      throw new AppError('bad-request', { next: `Use ${ENDPOINTS.invoke} for this call.` });
    }
    try {
      const instead = await this.#insteadOf(found, asking);
      if (instead !== null) {
        yield { page: 1, data: instead };
        return;
      }
      const pages = askedBeside
        ? this.#pagesBeside(found, asking)
        : this.#parts.canvas.pages(this.#requestOf(found, asking));
      for await (const { page, data } of pages) {
        yield { page, data: await this.#narrowed(found, asking.admin, data) };
      }
    } finally {
      this.#log(found, asking, started);
    }
  }

  /** The call of the registry, which the admin may make with this kind of payload. */
  async #matched(asked: Asked, asking: Asking): Promise<MatchedCall> {
    const mayMake = (call: LmsCall) => admittingTool(asking.admin, call) !== null;
    const found = matchCall(asked.type, asked.url, mayMake, this.#registry.calls);
    if (!found) throw await this.#refuse(asked, asking, 'not registered');
    const hasPayload = asked.payload !== undefined && asked.payload !== null;
    if (hasPayload && found.call.payload === null)
      throw await this.#refuse(asked, asking, 'unexpected payload');
    return found;
  }

  /** The same with its policy, its tool and its payload as read; whether it is in reach is not known yet. */
  async #admitted(asked: Asked, asking: Asking): Promise<Admitted> {
    const found = await this.#matched(asked, asking);
    const tool = admittingTool(asking.admin, found.call);
    if (!tool) throw await this.#refuse(asked, asking, 'no tool of the admin makes this call');
    const policy = this.#registry.policies[found.call.id];
    if (!policy) throw new Error(`the call ${found.call.id} has no policy`);
    const payload = (await this.#payloadOf(found.call, policy, asked)) as never;
    return { ...found, payload, policy, tool: tool.id };
  }

  async #refuse(asked: Asked, { admin, requestId }: Asking, why: string): Promise<AppError> {
    const detail = { why, type: asked.type.slice(0, 20), url: asked.url.slice(0, 300) };
    const event = 'LMS call refused';
    await this.#parts.audit.write({ login: admin.login, tool: 'lms', event, detail, requestId });
    return new AppError('not-allowed');
  }

  /** What the registry's schema makes of the payload; null where none is declared. */
  async #payloadOf({ payload }: LmsCall, policy: Policy, asked: Asked): Promise<unknown> {
    if (payload === null) return null;
    if (policy.readPayload) return policy.readPayload(asked.payload, this.#parts);
    const read = payload.safeParse(asked.payload);
    if (!read.success) throw badRequest(read.error.issues.map(issueDetail));
    return read.data;
  }

  async #requireReach(call: Admitted, { admin, signal }: Asking): Promise<void> {
    const { policy } = call;
    if (policy.inReach && !(await policy.inReach(admin, call, this.#parts, signal)))
      throw new AppError('not-found');
  }

  /** Null where the LMS is to answer. */
  async #insteadOf(found: Admitted, asking: Asking): Promise<unknown> {
    const data = (await found.policy.instead?.(asking, found, this.#parts)) ?? null;
    return data === null ? null : cutBy(found.call.answer)(data);
  }

  /** The pages of a list, asked for while its reach is checked; none is given before it is known. */
  async *#pagesBeside(found: Admitted, asking: Asking): AsyncGenerator<Page, void, void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([asking.signal, stop.signal]);
    try {
      const pages = this.#parts.canvas.pages(this.#requestOf(found, { ...asking, signal }));
      const first = pages.next();
      // Out of reach is the answer, whatever the LMS says.
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
      // A dot would be taken for the beginning of a format (reference §1).
      path: call.path.replace(/:(\w+)/g, (_, name: string) => (params[name] ?? '').replaceAll('.', '%2E')),
      query: paged ? [...query, ['per_page', String(LMS_PAGE_SIZE)]] : query,
      ...(payload === null ? {} : { body: payload }),
      answer: call.answer,
      signal,
    };
  }

  async #narrowed(found: Admitted, admin: Admin, data: unknown): Promise<unknown> {
    const { policy } = found;
    // The registry's schema of this call has just been applied to the data.
    return policy.narrow ? await policy.narrow(admin, data as never, found, this.#parts) : data;
  }

  #log({ call, tool }: Admitted, { admin, requestId }: Asking, started: number): void {
    const ms = Math.round(performance.now() - started);
    const facts = { reqId: requestId, login: admin.login, tool, call: call.id, ms };
    this.#parts.log.info(facts, 'LMS call');
  }
}

/** A `next` link as the `url` of a further call: relative, its query as the registry writes it. */
function relativeUrl(next: string): string {
  const [path, search] = next.replace(/^\/api\/v1\//, '').split('?');
  const query = [...new URLSearchParams(search ?? '')]
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return query === '' ? (path ?? '') : `${path}?${query}`;
}
