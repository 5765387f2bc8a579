/** What the parameters of a report narrow it to (reference §17.2). */
import { lookupTerm } from '../http/lookup.ts';
import { type Account, ENROLLMENT_TYPES, type EnrollmentState } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { isOn, type ReportTable } from './kinds.ts';
import type { Asked } from './scope.ts';

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

/** A term that a report names and that does not exist. */
export class UnknownTerm extends Error {}

/** @throws UnknownTerm */
export function askedOf(world: World, account: Account, report: string, parameters: Parameters): Asked {
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

/** By number, `sis_term_id:…`, several with commas, or `active_terms`; an empty one means all. */
function termsOf(world: World, given: unknown): ReadonlySet<number> | null {
  const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
  if (text === '') return null;
  if (text === 'active_terms') return new Set(activeTerms(world));
  // One of several that is known is enough; deleted ones have had courses, too.
  const found = text.split(',').flatMap((part) => lookupTerm(world, part.trim())?.id ?? []);
  if (found.length === 0) throw new UnknownTerm(text);
  return new Set(found);
}

/** Terms that go on now. */
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

/** Those of the known words that are given, as a list or with commas; null: none is asked for. */
function listOf(given: unknown, known: readonly string[]): ReadonlySet<string> | null {
  const text = typeof given === 'string' ? given : '';
  const all: unknown[] = Array.isArray(given) ? given : text.split(',');
  if (all.every((one) => one === '')) return null;
  return new Set(known.filter((one) => all.includes(one)));
}

/** What a run says of itself in `extra_text`. */
export function extraTextOf(world: World, asked: Asked, tables: readonly ReportTable[]): string {
  const names = [...(asked.terms ?? [])].map((id) => world.terms.must(id).name);
  const list = new Intl.ListFormat('en', { type: 'conjunction' });
  return [
    `Term: ${names.length === 0 ? 'All Terms' : list.format(names)};`,
    ...(asked.includeDeleted ? ['Include Deleted Objects;'] : []),
    ...(asked.types ? [`Include Enrollment Roles: ${list.format(asked.types)};`] : []),
    ...(asked.states ? [`Include Enrollment States: ${list.format(asked.states)};`] : []),
    `Reports: ${tables.map((table) => `${table} `).join('')}`,
  ].join(' ');
}
