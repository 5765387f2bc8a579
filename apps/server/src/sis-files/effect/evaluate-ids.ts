/** Evaluates rows that change SIS IDs: whether the old one exists, and the new one is free. */
import {
  type Cells,
  changed,
  type FieldChange,
  orRefused,
  type SisEffect,
} from '@lms-admin/domain/sis-effect';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import { z } from 'zod';
import { type Answer, answered, one } from '../../canvas/resources/reading.ts';
import { integrationSegment, sisSegment } from '../../canvas/sis-path.ts';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE, FEW, id, text } from './ask.ts';
import { ChangedIds, type IdChange } from './changed-ids.ts';
import { type Evaluation, named, put } from './evaluation.ts';

/** Maximum number of ids that are looked up; for further rows it stays unknown whether the LMS accepts them. */
const MAX_LOOKUPS = 20 * FEW;
/** API path of each kind, and its name for SIS IDs. */
const PLACES: Readonly<Record<string, string>> = {
  account: 'accounts',
  term: 'accounts/1/terms',
  course: 'courses',
  section: 'sections',
  group: 'groups',
  group_category: 'group_categories',
  user: 'users',
};

interface Named {
  type: string;
  by: 'id' | 'integration_id';
  value: string;
}

/** Evaluates changes of ids, which the LMS applies first. @throws CanvasError when the token is refused */
export async function evaluateChangedIds(evaluation: Evaluation): Promise<ChangedIds> {
  const { uploadRows, asking } = evaluation;
  const ids = new ChangedIds();
  if (uploadRows.count('change_sis_id') === 0) return ids;
  const { found, others } = await namedObjects(evaluation);
  for (const { cell, ...at } of uploadRows.of('change_sis_id')) {
    const change = changeIn(cell);
    const page = pageOf(change, found);
    const other = others.get(change.sis === null ? keyed(change, 'integration_id') : keyed(change, 'id'));
    const problems = problemsOf(cell, found);
    if (problems.length === 0) follow(change, other, { found, others });
    const fields = changesOf(change, other);
    const changes: SisEffect = {
      does: 'changes',
      fields,
      ...(change.kind === 'course' ? {} : { why: TAKEN }),
    };
    if (problems.length === 0) ids.take(change, other);
    const effect = orRefused(changes, problems);
    await put(evaluation, 'change_sis_id', at, effect, named(cell('old_id'), cell('type') ?? null, page));
  }
  asking.signal.throwIfAborted();
  return ids;
}

function changeIn(cell: Cells): IdChange {
  const given = (column: string) => cell(column) || null;
  return {
    kind: (cell('type') ?? '').toLowerCase(),
    sis: given('old_id'),
    integration: given('old_integration_id'),
    newSis: given('new_id'),
    newIntegration: given('new_integration_id'),
  };
}

const keyed = ({ kind, sis, integration }: IdChange, by: Named['by']) =>
  keyOf({ type: kind, by, value: (by === 'id' ? sis : integration) ?? '' });

/** Kinds whose page address contains their number. */
const PAGED = ['account', 'course', 'group', 'user'];

/** Returns the page of a row's item, after the earlier changes; null if its number does not give the address. */
function pageOf(change: IdChange, found: Map<string, Answer<number>>): string | null {
  const number = found.get(keyed(change, change.sis === null ? 'integration_id' : 'id'));
  return typeof number === 'number' && PAGED.includes(change.kind) ? `${change.kind}s/${number}` : null;
}

/** Lists the old and new ids in a row. */
function changesOf(
  { sis, integration, newSis, newIntegration }: IdChange,
  other: Other | undefined,
): FieldChange[] {
  return [
    ...(newSis === null ? [] : changed('id', sis ?? other?.sisWas ?? null, newSis)),
    ...(newIntegration === null
      ? []
      : changed(
          'integration_id',
          integration ?? other?.integrationWas ?? null,
          newIntegration === CLEARS ? null : newIntegration,
        )),
  ];
}

interface NamedObjects {
  /** Numbers of items by id. */
  found: Map<string, Answer<number>>;
  /** Other ids of items by id. */
  others: Map<string, Other>;
}

interface Other {
  sisWas: string | null;
  integrationWas: string | null;
}

const objectAnswer = z.looseObject({ id, integration_id: text });

async function namedObjects({ uploadRows, asking }: Evaluation): Promise<NamedObjects> {
  const named = new Map<string, Named>();
  for (const { cell } of uploadRows.of('change_sis_id'))
    for (const one of namesIn(cell)) named.set(keyOf(one), one);
  const found: NamedObjects['found'] = new Map();
  const others: NamedObjects['others'] = new Map();
  await mapLimited([...named.values()].slice(0, MAX_LOOKUPS), AT_ONCE, async (namedId) => {
    const place = PLACES[namedId.type];
    if (place === undefined) return;
    const segment =
      namedId.by === 'id' ? sisSegment(namedId.type, namedId.value) : integrationSegment(namedId.value);
    const query = namedId.type === 'course' ? ([['include[]', 'all_courses']] as const) : [];
    const answer = await answered(asking, () => one(asking, `${place}/${segment}`, objectAnswer, query));
    found.set(keyOf(namedId), typeof answer === 'string' ? answer : answer.id);
    if (typeof answer === 'string') return;
    const sis = answer[`sis_${namedId.type}_id`];
    const [sisWas, integrationWas] = [typeof sis === 'string' ? sis : null, answer.integration_id];
    // The LMS shows the ids of one of a person's logins, which may not be the one in the row.
    if ((namedId.by === 'id' ? sisWas : integrationWas) === namedId.value)
      others.set(keyOf(namedId), { sisWas, integrationWas });
  });
  return { found, others };
}

const keyOf = ({ type, by, value }: Named) => JSON.stringify([type, by, value]);

/** Lists the old and new ids in a row; the word that removes an integration id may itself be an id in use. */
function namesIn(cell: Cells): Named[] {
  const type = (cell('type') ?? '').toLowerCase();
  const columns = [
    ['old_id', 'id'],
    ['old_integration_id', 'integration_id'],
    ['new_id', 'id'],
    ['new_integration_id', 'integration_id'],
  ] as const;
  return columns.flatMap(([column, by]) => {
    const value = cell(column);
    return value ? [{ type, by, value }] : [];
  });
}

/** As a new integration id, this word removes the id. */
const CLEARS = '<delete>';

/** Returns the problem if that word is itself an id in use: the LMS then reads it as that id. */
function clearsTaken(what: string): string {
  const one = `${what === 'account' ? 'an' : 'a'} ${what}`;
  return `The text ${shown(CLEARS)} is itself the integration ID of ${one}, so the LMS rejects every row that removes the integration ID of ${one}. First change that ID with a row that has the old_integration_id ${shown(CLEARS)}.`;
}

const TAKEN =
  'If a deleted item has the new ID, the LMS rejects the row. LMS Admin cannot check this, because the LMS does not show deleted items.';

/** Writes a note: the LMS also changes ids of deleted items, but shows only deleted courses. */
function hiddenOf(type: string): string {
  if (type === 'course') return '';
  const wanted =
    type === 'section'
      ? 'a section with this ID, or its course, was deleted'
      : `a deleted ${type.replace('_', ' ')} has this ID`;
  return ` If ${wanted}, the LMS gives it the new ID. LMS Admin cannot check this, because the LMS does not show deleted items.`;
}

function problemsOf(cell: Cells, found: Map<string, Answer<number>>): SisProblem[] {
  const problems: SisProblem[] = [];
  const add = (column: string, message: string) => problems.push({ column, message });
  const type = (cell('type') ?? '').toLowerCase();
  const what = type.replace('_', ' ');
  const look = (by: Named['by'], value: string | null | undefined) =>
    value ? (found.get(keyOf({ type, by, value })) ?? 'unread') : null;
  if (type === 'group_category')
    for (const column of ['old_integration_id', 'new_integration_id'])
      if (cell(column)) add(column, 'Group categories have no integration IDs. Leave the cell empty.');
  const [oldId, oldIntegration] = [
    look('id', cell('old_id')),
    look('integration_id', cell('old_integration_id')),
  ];
  if (oldId === 'missing')
    add('old_id', `The LMS has no ${what} with the SIS ID ${shown(cell('old_id') ?? '')}.${hiddenOf(type)}`);
  if (oldIntegration === 'missing' && type !== 'group_category')
    add(
      'old_integration_id',
      `The LMS has no ${what} with the integration ID ${shown(cell('old_integration_id') ?? '')}.${hiddenOf(type)}`,
    );
  if (typeof oldId === 'number' && typeof oldIntegration === 'number' && oldId !== oldIntegration)
    add('old_integration_id', `The two old IDs of the row belong to different items.`);
  for (const [column, by] of [
    ['new_id', 'id'],
    ['new_integration_id', 'integration_id'],
  ] as const) {
    const value = cell(column);
    if (!value || (type === 'group_category' && by === 'integration_id')) continue;
    if (typeof look(by, value) !== 'number') continue;
    const clears = by === 'integration_id' && value === CLEARS;
    add(
      column,
      clears ? clearsTaken(what) : `Another ${what} already has ${shown(value)}. Choose another ID.`,
    );
  }
  return problems;
}

/** Updates the ids for later rows after one that the LMS applies. @param other the other id of the row's item */
function follow(change: IdChange, other: Other | undefined, { found, others }: NamedObjects): void {
  const { kind: type, sis, integration, newSis, newIntegration } = change;
  const [sisWas, integrationWas] = [
    sis ?? other?.sisWas ?? null,
    integration ?? other?.integrationWas ?? null,
  ];
  const [byId, byIntegration] = [found.get(keyed(change, 'id')), found.get(keyed(change, 'integration_id'))];
  const changing = typeof byId === 'number' ? byId : byIntegration;
  if (typeof changing !== 'number') return;
  const set = (by: Named['by'], was: string | null, is: string | null) => {
    if (was !== null) found.set(keyOf({ type, by, value: was }), 'missing');
    if (is !== null) found.set(keyOf({ type, by, value: is }), changing);
  };
  const given = newIntegration === CLEARS ? null : newIntegration;
  if (newSis !== null) set('id', sisWas, newSis);
  if (newIntegration !== null) set('integration_id', integrationWas, given);
  const is: Other = {
    sisWas: newSis ?? sisWas,
    integrationWas: newIntegration === null ? integrationWas : given,
  };
  for (const [by, value] of [
    ['id', is.sisWas],
    ['integration_id', is.integrationWas],
  ] as const)
    if (value !== null) others.set(keyOf({ type, by, value }), is);
}
