import type { Row } from '../../store/model.ts';
import type { World } from '../../store/world.ts';
import type { Cells } from '../csv/files.ts';
import { messages } from '../messages.ts';
import type { Importer, Outcome } from './work.ts';

const COLUMNS = ['type', 'old_id', 'old_integration_id', 'new_id', 'new_integration_id'] as const;
type ChangeCells = Cells<(typeof COLUMNS)[number]>;
const say = messages.changeSisId;

/** Changes SIS IDs (§9.7). Runs before everything else and cannot be undone. */
export const changeSisIdImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'change_sis_id',
  columns: COLUMNS,
  buffer: 1,

  check(row) {
    if (!row.type) return say.noType;
    if (!row.old_id && !row.old_integration_id) return say.noOld;
    if (!row.new_id && !row.new_integration_id) return say.noNew;
    return undefined;
  },

  apply(row, work) {
    const type = (row.type ?? '').toLowerCase();
    const kind = kindsOf(work.world)[type];
    if (!kind) return say.badType(type);
    return change(row, type, kind, work.batch.id);
  },
};

/** Properties that the kinds share, so that one change fits all. */
interface Kind {
  column: 'sis_user_id' | 'sis_source_id';
  bySis(id: string | null): Row | undefined;
  byIntegration?(id: string | null): Row | undefined;
  change(row: Row, patch: Record<string, unknown>): void;
}

interface SisTable<T extends Row> {
  by: {
    sis: { get(id: string | null): T | undefined };
    integration?: { get(id: string | null): T | undefined };
  };
  change(row: T, patch: Partial<Omit<T, 'id'>>): unknown;
}

function kindOf<T extends Row>(table: SisTable<T>, column: Kind['column'] = 'sis_source_id'): Kind {
  const { sis, integration } = table.by;
  return {
    column,
    bySis: (id) => sis.get(id),
    ...(integration ? { byIntegration: (id: string | null) => integration.get(id) } : {}),
    change: (row, patch) => void table.change(row as T, patch as Partial<Omit<T, 'id'>>),
  };
}

function kindsOf(world: World): Record<string, Kind | undefined> {
  return {
    user: kindOf(world.pseudonyms, 'sis_user_id'),
    course: kindOf(world.courses),
    section: kindOf(world.sections),
    term: kindOf(world.terms),
    account: kindOf(world.accounts),
    group: kindOf(world.groups),
    group_category: kindOf(world.groupCategories),
  };
}

function change(row: ChangeCells, type: string, kind: Kind, batchId: number): Outcome {
  const { old_id: oldId, old_integration_id: oldIntegration } = row;
  const { new_id: newId, new_integration_id: newIntegration } = row;
  if (type === 'group_category' && (oldIntegration || newIntegration)) return say.noIntegration;
  if (kind.bySis(newId)) return say.newTaken(newId, type, kind.column, oldId);
  if (kind.byIntegration?.(newIntegration))
    return say.newIntegrationTaken(newIntegration, type, oldIntegration);
  const byId = oldId ? kind.bySis(oldId) : undefined;
  const byIntegration = oldIntegration ? kind.byIntegration?.(oldIntegration) : undefined;
  if (oldId && oldIntegration && byId !== byIntegration) return say.different(oldId, type, oldIntegration);
  const record = byId ?? byIntegration;
  if (!record) return oldId ? say.oldUnknown(oldId, type) : say.oldIntegrationUnknown(oldIntegration, type);
  kind.change(record, {
    ...(newId ? { [kind.column]: newId } : {}),
    ...(newIntegration && kind.byIntegration
      ? { integration_id: newIntegration === '<delete>' ? null : newIntegration }
      : {}),
    sis_batch_id: batchId,
  });
  return true;
}
