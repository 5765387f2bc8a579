/** The limits that a report's parameters set (reference §17.2). */
import { lookupTerm } from '../http/lookup.ts';
import { type Account, ENROLLMENT_TYPES, type EnrollmentState } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { isOn, type ReportTable } from './kinds.ts';
import type { ReportRequest } from './scope.ts';

type Parameters = Readonly<Record<string, unknown>>;

const STATES: readonly EnrollmentState[] = [
  'invited',
  'creation_pending',
  'active',
  'completed',
  'inactive',
  'deleted',
  'rejected',
];

/** A report names a term that does not exist. */
export class UnknownTerm extends Error {}

/** @throws UnknownTerm */
export function requestOf(
  world: World,
  account: Account,
  report: string,
  parameters: Parameters,
): ReportRequest {
  return {
    account,
    sisExport: report === 'sis_export_csv',
    terms: termsOf(world, parameters['enrollment_term_id'] || parameters['enrollment_term']),
    includeDeleted: isOn(parameters['include_deleted']),
    createdBySis: isOn(parameters['created_by_sis']),
    types: listOf(parameters['enrollment_filter'], ENROLLMENT_TYPES),
    states: listOf(parameters['enrollment_states'], STATES),
  };
}

/**
 * Finds terms by number, by `sis_term_id:…`, several separated by commas, or `active_terms`. An empty
 * parameter means all terms.
 */
function termsOf(world: World, given: unknown): ReadonlySet<number> | null {
  const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
  if (text === '') return null;
  if (text === 'active_terms') return new Set(activeTerms(world));
  // One known term among several is enough; even deleted terms have courses.
  const found = text.split(',').flatMap((part) => lookupTerm(world, part.trim())?.id ?? []);
  if (found.length === 0) throw new UnknownTerm(text);
  return new Set(found);
}

/** Returns the terms that include the present. */
function activeTerms(world: World): number[] {
  const now = world.now();
  return [...world.terms.values()]
    .filter(
      ({ workflow_state, start_at, end_at }) =>
        workflow_state === 'active' &&
        (start_at === null || start_at <= now) &&
        (end_at === null || end_at >= now),
    )
    .map(({ id }) => id);
}

/**
 * Finds the known words among those given, as a list or separated by commas. Returns null if there are none.
 */
function listOf(given: unknown, known: readonly string[]): ReadonlySet<string> | null {
  const text = typeof given === 'string' ? given : '';
  const all: unknown[] = Array.isArray(given) ? given : text.split(',');
  if (all.every((one) => one === '')) return null;
  return new Set(known.filter((one) => all.includes(one)));
}

/** Describes a run as Canvas does in `extra_text`. */
export function extraTextOf(world: World, request: ReportRequest, tables: readonly ReportTable[]): string {
  const names = [...(request.terms ?? [])].map((id) => world.terms.must(id).name);
  const list = new Intl.ListFormat('en', { type: 'conjunction' });
  return [
    `Term: ${names.length === 0 ? 'All Terms' : list.format(names)};`,
    ...(request.includeDeleted ? ['Include Deleted Objects;'] : []),
    ...(request.types ? [`Include Enrollment Roles: ${list.format(request.types)};`] : []),
    ...(request.states ? [`Include Enrollment States: ${list.format(request.states)};`] : []),
    `Reports: ${tables.map((table) => `${table} `).join('')}`,
  ].join(' ');
}
