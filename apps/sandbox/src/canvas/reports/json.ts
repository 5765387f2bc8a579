import type { FastifyRequest } from 'fastify';
import { userDisplay } from '../api/json/users.ts';
import { baseUrl, currentCaller, fileJson, viewOf } from '../http/context.ts';
import type { AccountReport } from '../store/model.ts';

/**
 * Returns the Report object (§17.1). It has an attachment once the file exists, even in the answer to its
 * deletion; the link works for an hour.
 */
export function reportJson(request: FastifyRequest, one: AccountReport): Record<string, unknown> {
  const { world } = currentCaller(request);
  const { id, account_id, report, status, progress, parameters, current_line, started_at, ended_at } = one;
  const file = world.files.get(one.file_id);
  const user = world.users.get(one.user_id);
  const view = viewOf(request, world.accounts.must(account_id));
  return {
    id,
    report,
    status,
    progress,
    parameters,
    current_line,
    created_at: one.created_at,
    started_at,
    ended_at,
    run_time: started_at === null ? null : seconds(started_at, ended_at ?? world.now()),
    user: user ? userDisplay(view, user, `accounts/${account_id}`) : null,
    file_url: file ? `${baseUrl(request)}/accounts/${account_id}/files/${file.id}/download` : null,
    ...(file ? { attachment: fileJson(request, file) } : {}),
  };
}

/** Returns the address at which a run is started. */
export function reportUrl(request: FastifyRequest, { account_id, report, id }: AccountReport): string {
  return `${baseUrl(request)}/api/v1/accounts/${account_id}/reports/${report}/${id}`;
}

const seconds = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1_000;
