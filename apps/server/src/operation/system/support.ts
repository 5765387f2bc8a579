/** The state of the installation as one text that can be passed on, without names, addresses and secrets. */

import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { SystemOutside, SystemOverview, SystemStorage, SystemWork } from '@lms-admin/contract/system';
import { counted } from '@lms-admin/domain/numbers';
import type { Config } from '../../platform/config.ts';
import type { SettingView } from '../../platform/config-view.ts';
import type { Trouble } from '../../platform/log-memory.ts';
import type { Finding } from '../doctor/check.ts';

export interface SupportParts {
  now: number;
  overview: SystemOverview;
  clocks: { server: number; database: number };
  settings: readonly SettingView[];
  findings: readonly Finding[];
  work: SystemWork;
  outside: SystemOutside;
  storage: SystemStorage;
  errors: readonly Trouble[];
}

/** Findings about the access file may quote its content, which names people. */
const NOT_QUOTED = new Set(['access']);

export function supportText(parts: SupportParts, config: Config): string {
  const { now, overview, clocks, settings, findings, work, outside, storage, errors } = parts;
  const { seen } = overview;
  const set = settings.filter(({ source }) => source === 'environment' || source === 'file');
  const lines = [
    `LMS Admin ${overview.version}, ${iso(now)}`,
    `Node ${overview.node}, ${overview.database}, ${overview.mode} mode, running since ${iso(overview.startedAt)}`,
    `Settings that are set: ${set.map(({ name }) => name).join(', ') || 'none'}`,
    `Proxy headers: ${seen.headers.map(({ name }) => name).join(', ') || 'none'}`,
    `Clock of the database: ${seconds(clocks.database - clocks.server)} s ahead of the server`,
    `Migrations: ${work.migrations.applied} of ${work.migrations.known}`,
    '',
    'Checks',
    ...findings.map(findingLine),
    '',
    'Work',
    `  held since a restore: ${work.held === null ? 'no' : `yes, ${counted(work.held.jobs, 'job')}`}`,
    ...work.open.map(({ kind, state, jobs }) => `  ${kind}, ${state}: ${jobs}`),
    `  waiting for a sign-in: ${work.signIns.reduce((sum, { jobs }) => sum + jobs, 0)}`,
    `  failed in seven days: ${work.failed.length}`,
    '',
    `Outside systems, in ${outside.minutes} minutes`,
    ...outside.systems.map(
      ({ system, calls, median, slowest, throttled, failed }) =>
        `  ${system}: ${counted(calls, 'call')}, median ${median ?? '-'} ms, slowest ${slowest ?? '-'} ms, ${throttled} throttled, ${failed} failed`,
    ),
    '',
    `Database ${storage.database} bytes, data folder ${storage.folder} bytes`,
    ...storage.tables.slice(0, 8).map(({ table, bytes }) => `  ${table}: ${bytes} bytes`),
    '',
    `Logged since the start: ${errors.length === 0 ? 'no warnings or errors' : ''}`,
    ...errors.map(
      ({ at, level, message, type }) => `  ${iso(at)} ${level}: ${message}${type === '' ? '' : ` (${type})`}`,
    ),
  ];
  return `${withoutNames(lines.join('\n'), config)}\n`;
}

/** Avoids '-0.0'. */
const seconds = (ms: number) => (Math.round(ms / 100) / 10 || 0).toFixed(1);
const iso = (at: number) => new Date(at).toISOString();

const findingLine = ({ check, state, message }: Finding) =>
  `  ${state.padEnd(4)}  ${check}: ${NOT_QUOTED.has(check) && state !== 'ok' ? '(not shown)' : message}`;

/** Removes names, addresses and secrets wherever they appear. */
function withoutNames(text: string, config: Config): string {
  const replaced: [string, string][] = [
    ...secretsIn(config).map((value): [string, string] => [value, '(secret)']),
    [config.accessFile, '(access file)'],
    [resolve(config.dataFolder), '(data folder)'],
    [config.dataFolder, '(data folder)'],
    [config.lms.url, '(LMS)'],
    [config.origin ?? '', '(LMS Admin)'],
    [config.site.institution, '(school)'],
    [userInfo().username, '(user)'],
  ];
  return replaced
    .filter(([value]) => value.length > 3)
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((left, [value, label]) => left.replaceAll(value, label), text)
    .replace(/https?:\/\/[^\s),;"]+/g, '(address)')
    .replace(/[\w.+%-]+@[\w-]+(\.[\w-]+)+/g, '(email)');
}

const SECRET_FIELD = /secret|token|key|password|databaseUrl/i;

/** Returns every text in the settings whose name marks it as secret. */
function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    secretsIn(inner, isSecret || SECRET_FIELD.test(name)),
  );
}
