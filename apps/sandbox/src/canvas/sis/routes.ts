import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { pathNumber } from '../api/lists.ts';
import {
  ApiError,
  currentUser,
  findAccount,
  flag,
  list,
  notFound,
  paginate,
  paramsOf,
  progressJson,
  type Right,
  refused,
  requireRight,
  type SandboxContext,
  text,
} from '../http/context.ts';
import { SIS_STATES, type SisBatch } from '../store/sis-batch.ts';
import { ImportQueue } from './batch/queue.ts';
import { hasUndoData } from './batch/restore.ts';
import { sisErrorJson, sisImportJson } from './json.ts';
import { messages } from './messages.ts';
import { readOptions } from './options.ts';
import { receive, takeAnyBody } from './upload.ts';

const EITHER: readonly Right[] = ['import_sis', 'manage_sis'];
/** Milliseconds for which errors are listed (§7). */
const ERRORS_KEPT_MS = 30 * 24 * 3600 * 1000;

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Creates all routes for SIS imports (§7), registered under `/api/v1`. */
export function sisRoutes(context: SandboxContext): FastifyPluginAsync {
  const queue = new ImportQueue(context);
  const { world } = context;
  const base = '/accounts/:account_id/sis_imports';

  /** Checks the account before the permission, as Canvas does. */
  const guarded =
    (rights: readonly Right[], handler: Handler): Handler =>
    (request, reply) => {
      const account = findAccount(request, param(request, 'account_id'));
      if (account.parent_account_id !== null) throw plainErrors(400, messages.request.rootOnly);
      if (!account.allow_sis_import) throw plainErrors(403, messages.request.notEnabled);
      requireRight(request, account, ...rights);
      return handler(request, reply);
    };

  const findImport = (request: FastifyRequest): SisBatch => {
    const batch = world.sisBatches.get(pathNumber(request, 'id'));
    if (!batch) throw notFound();
    return batch;
  };

  const page = (request: FastifyRequest, reply: FastifyReply, batches: SisBatch[]) => ({
    sis_imports: paginate(request, reply, batches, { counted: false }).map((batch) =>
      sisImportJson(request, batch),
    ),
  });

  const create = async (request: FastifyRequest) => {
    const { upload, params } = await receive(request, context.spool);
    const options = readOptions(request, params);
    return sisImportJson(request, queue.add(upload, options, currentUser(request).id));
  };

  return async (app: FastifyInstance) => {
    app.addHook('onReady', async () => queue.resume());
    app.addHook('onClose', async () => queue.stop());
    await app.register(async (scope) => {
      await takeAnyBody(scope);
      scope.post(base, { bodyLimit: Number.MAX_SAFE_INTEGER }, guarded(['import_sis'], create));
    });
    app.get(
      base,
      guarded(EITHER, (request, reply) => page(request, reply, filtered(request, world.sisBatches.values()))),
    );
    app.get(
      `${base}/importing`,
      // All imports, whatever page is requested.
      guarded(EITHER, (request) => {
        const running = newestFirst(world.sisBatches.values()).filter((batch) =>
          ['importing', 'cleanup_batch'].includes(batch.workflow_state),
        );
        return { sis_imports: running.map((batch) => sisImportJson(request, batch)) };
      }),
    );
    app.get(
      `${base}/:id`,
      guarded(EITHER, (request) => sisImportJson(request, findImport(request))),
    );
    app.get(
      `${base}/:id/errors`,
      guarded(EITHER, (request, reply) => errorPage(request, reply, [findImport(request)], world.clock())),
    );
    app.get(
      '/accounts/:account_id/sis_import_errors',
      guarded(EITHER, (request, reply) =>
        errorPage(request, reply, newestFirst(world.sisBatches.values()), world.clock()),
      ),
    );
    app.put(
      `${base}/:id/abort`,
      guarded(EITHER, (request) => {
        const batch = findImport(request);
        if (!queue.abort(batch)) throw notFound();
        return sisImportJson(request, batch);
      }),
    );
    app.put(
      `${base}/abort_all_pending`,
      guarded(EITHER, () => {
        queue.abortAllPending();
        return { aborted: true };
      }),
    );
    app.put(
      `${base}/:id/restore_states`,
      guarded(['manage_sis'], (request) => {
        const batch = findImport(request);
        const params = paramsOf(request);
        const options = {
          batch_mode: flag(params, 'batch_mode'),
          undelete_only: flag(params, 'undelete_only'),
          unconclude_only: flag(params, 'unconclude_only'),
        };
        if (options.undelete_only && options.unconclude_only)
          throw refused(400, messages.request.bothRestores);
        if (!hasUndoData(world, batch)) throw refused(400, messages.request.noUndoData);
        return progressJson(request, queue.restore(batch, options, currentUser(request).id));
      }),
    );
  };
}

function param(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? '';
}

/** Returns errors of SIS imports, which are plain strings in the array (§7). */
function plainErrors(status: number, message: string): ApiError {
  return new ApiError(status, { errors: [message] });
}

function newestFirst(batches: Iterable<SisBatch>): SisBatch[] {
  return [...batches].toReversed();
}

/** Filters imports by `created_since`, `created_before` and `workflow_state[]` (§7). */
function filtered(request: FastifyRequest, batches: Iterable<SisBatch>): SisBatch[] {
  const params = paramsOf(request);
  const since = moment(text(params, 'created_since'));
  const before = moment(text(params, 'created_before'));
  const states = list(params, 'workflow_state').filter((state) =>
    (SIS_STATES as readonly string[]).includes(state),
  );
  return newestFirst(batches).filter((batch) => {
    const created = Date.parse(batch.created_at);
    if (since !== null && created <= since) return false;
    if (before !== null && created >= before) return false;
    return states.length === 0 || states.includes(batch.workflow_state);
  });
}

function moment(given: string | null): number | null {
  const ms = Date.parse(given ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** Returns a page of errors, newest first; the imports already come in that order. */
function errorPage(request: FastifyRequest, reply: FastifyReply, batches: readonly SisBatch[], now: number) {
  const failuresOnly = flag(paramsOf(request), 'failure');
  const lines = batches
    .filter((batch) => now - Date.parse(batch.created_at) < ERRORS_KEPT_MS)
    .flatMap((batch) =>
      batch.errors
        .filter((error) => !failuresOnly || error.failure)
        .map((error) => ({ batch, error }))
        .toReversed(),
    );
  return {
    sis_import_errors: paginate(request, reply, lines).map(({ batch, error }) => sisErrorJson(batch, error)),
  };
}
