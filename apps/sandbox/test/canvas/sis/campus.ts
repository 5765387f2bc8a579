/** A small sandbox with an import engine, for tests without HTTP. */

import { ImportQueue } from '../../../src/canvas/sis/batch/queue.ts';
import type { ImportFault } from '../../../src/canvas/sis/faults.ts';
import { ENROLLMENT_TYPES } from '../../../src/canvas/store/model.ts';
import type { SisBatch, SisOptions } from '../../../src/canvas/store/sis-batch.ts';
import { World } from '../../../src/canvas/store/world.ts';
import { Spool } from '../../../src/files/spool.ts';

export const NO_OPTIONS: SisOptions = {
  batch_mode: null,
  batch_mode_term_id: null,
  multi_term_batch_mode: null,
  batch_mode_enrollment_drop_status: null,
  override_sis_stickiness: false,
  add_sis_stickiness: false,
  clear_sis_stickiness: false,
  update_sis_id_if_login_claimed: false,
  skip_deletes: false,
  change_threshold: null,
  diffing_data_set_identifier: null,
  diffing_remaster: null,
  diffing_drop_status: null,
  diffing_user_remove_status: null,
  diff_row_count_threshold: null,
};

/** Creates a root account with the default term, the built-in roles and one admin without an SIS ID. */
export function emptyCampus(): World {
  const world = new World();
  world.reset(fill);
  return world;
}

function fill(world: World): void {
  const stuck = { stuck_sis_fields: null };
  const sis = { sis_source_id: null, integration_id: null, sis_batch_id: null };
  const root = world.accounts.add({
    name: 'Campus',
    workflow_state: 'active',
    parent_account_id: null,
    default_time_zone: 'Europe/London',
    allow_sis_import: true,
    ...sis,
    ...stuck,
  });
  world.terms.add({
    name: 'Default Term',
    workflow_state: 'active',
    start_at: null,
    end_at: null,
    overrides: {},
    default_term: true,
    ...sis,
    ...stuck,
  });
  const roles = ['AccountAdmin', 'AccountMembership', ...ENROLLMENT_TYPES] as const;
  for (const name of roles) {
    const base = name === 'AccountAdmin' ? 'AccountMembership' : name;
    world.roles.add({
      name,
      label: name,
      base_role_type: base,
      workflow_state: 'built_in',
      account_id: null,
    });
  }
  const admin = world.users.add({
    name: 'Admin',
    sortable_name: 'Admin',
    short_name: 'Admin',
    workflow_state: 'registered',
    pronouns: null,
    time_zone: null,
    locale: null,
    avatar_url: null,
    title: null,
    bio: null,
    ...stuck,
  });
  world.accountUsers.add({
    account_id: root.id,
    user_id: admin.id,
    role_id: 1,
    workflow_state: 'active',
    sis_batch_id: null,
  });
}

export class Campus {
  readonly world = emptyCampus();
  readonly spool = new Spool(null);
  fault: ImportFault | null = null;
  readonly queue: ImportQueue;

  constructor(importPace: number | 'instant' = 'instant') {
    const takeImportFault = () => this.fault;
    const { world, spool } = this;
    this.queue = new ImportQueue({ world, spool, options: { importPace }, takeImportFault });
  }

  /** Imports bytes and waits for the final state. */
  async import(
    bytes: Buffer | string,
    name = 'data.csv',
    options: Partial<SisOptions> = {},
  ): Promise<SisBatch> {
    const kept = await this.spool.keepBuffer(Buffer.from(bytes));
    const batch = this.queue.add({ name, kept }, { ...NO_OPTIONS, ...options }, 1);
    while (['created', 'importing', 'cleanup_batch'].includes(batch.workflow_state))
      await new Promise(setImmediate);
    return batch;
  }
}
