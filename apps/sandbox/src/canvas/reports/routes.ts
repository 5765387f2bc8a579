/** Account reports (reference §17.1). */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { isParams, type Params, paramsOf } from '../../http/params.ts';
import { pathNumber, pathParam } from '../api/lists.ts';
import {
  ApiError,
  currentUser,
  findAccount,
  notFound,
  paginate,
  requireRight,
  type SandboxContext,
} from '../http/context.ts';
import type { Account, AccountReport } from '../store/model.ts';
import { reportJson, reportUrl } from './json.ts';
import { KINDS } from './kinds.ts';
import { requestOf, UnknownTerm } from './parameters.ts';
import { ReportQueue } from './queue.ts';

/** The age in milliseconds after which an unfinished run does not block another one. */
const STUCK_MS = 12 * 3_600_000;

export function reportRoutes(context: SandboxContext): FastifyPluginAsync {
  const queue = new ReportQueue(context);
  const { world } = context;
  const base = '/accounts/:account_id/reports';

  const accountOf = (request: FastifyRequest): Account => {
    const account = findAccount(request, pathParam(request, 'account_id'));
    requireRight(request, account, 'read_reports');
    return account;
  };
  /** Returns the runs of a kind in an account, newest first. */
  const runsOf = (account: Account, report: string): AccountReport[] =>
    [...world.reports.values()]
      .filter((one) => one.account_id === account.id && one.report === report && one.status !== 'deleted')
      .toReversed();
  const runOf = (request: FastifyRequest): AccountReport => {
    const account = accountOf(request);
    const id = pathNumber(request, 'id');
    const found = runsOf(account, pathParam(request, 'report')).find((one) => one.id === id);
    if (!found) throw notFound();
    return found;
  };

  function start(request: FastifyRequest, reply: FastifyReply): unknown {
    const account = accountOf(request);
    const report = pathParam(request, 'report');
    if (!KINDS.some((kind) => kind.report === report)) throw notFound();
    const { parameters: given } = paramsOf(request);
    const parameters = isParams(given) ? given : {};
    try {
      requestOf(world, account, report, parameters);
    } catch (error) {
      if (!(error instanceof UnknownTerm)) throw error;
      throw new ApiError(400, { error: `invalid enrollment_term_id '${error.message}'` });
    }
    const running = runsOf(account, report).find(
      (one) =>
        (one.status === 'created' || one.status === 'running') &&
        world.clock() - Date.parse(one.created_at) < STUCK_MS &&
        same(one.parameters, parameters),
    );
    if (running) {
      void reply.code(409).header('location', reportUrl(request, running));
      return reportJson(request, running);
    }
    const created = world.reports.add({
      account_id: account.id,
      user_id: currentUser(request).id,
      report,
      status: 'created',
      progress: 0,
      parameters,
      current_line: null,
      started_at: null,
      ended_at: null,
      file_id: null,
    });
    const answer = reportJson(request, created);
    setImmediate(() => queue.next());
    return answer;
  }

  return async (app) => {
    app.addHook('onReady', async () => queue.resume());
    app.addHook('onClose', async () => queue.stop());
    // All runs, whatever page is requested.
    app.get(base, (request) => {
      const account = accountOf(request);
      return KINDS.map((kind) => {
        const [last] = runsOf(account, kind.report);
        return { ...kind, last_run: last ? reportJson(request, last) : null };
      });
    });
    app.post(`${base}/:report`, start);
    app.get(`${base}/:report`, (request, reply) =>
      paginate(request, reply, runsOf(accountOf(request), pathParam(request, 'report'))).map((one) =>
        reportJson(request, one),
      ),
    );
    app.get(`${base}/:report/:id`, (request) => reportJson(request, runOf(request)));
    app.put(`${base}/:report/:id/abort`, (request) => {
      const run = runOf(request);
      if (!queue.abort(run)) throw notFound();
      return reportJson(request, run);
    });
    app.delete(`${base}/:report/:id`, (request) => {
      const run = runOf(request);
      queue.abort(run);
      world.reports.change(run, { status: 'deleted' });
      return reportJson(request, run);
    });
  };
}

/** Returns whether two runs have the same parameters, in any order. */
function same(one: Readonly<Record<string, unknown>>, other: Params): boolean {
  const sorted = (all: Readonly<Record<string, unknown>>) =>
    JSON.stringify(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}
