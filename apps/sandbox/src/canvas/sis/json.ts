import type { FastifyRequest } from 'fastify';
import { currentCaller, fileJson, userJson } from '../http/context.ts';
import type { SisBatch, SisError } from '../store/sis-batch.ts';

const orNull = (flag: boolean | null): true | null => (flag ? true : null);

/** Returns the SisImport object (§7.2): some keys are always present, others only if they have content. */
export function sisImportJson(request: FastifyRequest, batch: SisBatch): Record<string, unknown> {
  const { world } = currentCaller(request);
  const { options } = batch;
  const files = (ids: readonly number[]) => ids.map((id) => fileJson(request, world.files.must(id)));
  const sender = world.users.get(batch.user_id);
  const errorsFile = world.files.get(batch.errors_attachment_id);
  const running = batch.ended_at === null;
  return {
    id: batch.id,
    created_at: batch.created_at,
    started_at: batch.started_at,
    ended_at: batch.ended_at,
    updated_at: batch.updated_at,
    progress: batch.progress,
    workflow_state: batch.workflow_state,
    data:
      batch.diffed_against_sis_batch_id === null
        ? batch.data
        : { ...batch.data, diffed_against_sis_batch_id: batch.diffed_against_sis_batch_id },
    batch_mode: orNull(options.batch_mode),
    batch_mode_term_id: options.batch_mode_term_id,
    multi_term_batch_mode: orNull(options.multi_term_batch_mode),
    override_sis_stickiness: orNull(options.override_sis_stickiness),
    add_sis_stickiness: orNull(options.add_sis_stickiness),
    clear_sis_stickiness: orNull(options.clear_sis_stickiness),
    update_sis_id_if_login_claimed: options.update_sis_id_if_login_claimed,
    skip_deletes: options.skip_deletes,
    diffing_data_set_identifier: options.diffing_data_set_identifier,
    diffing_remaster: orNull(options.diffing_remaster),
    // Canvas gives this number only in `data` (§18.3).
    diffed_against_import_id: null,
    diffing_drop_status: options.diffing_drop_status,
    diffing_user_remove_status: options.diffing_user_remove_status,
    change_threshold: options.change_threshold,
    diff_row_count_threshold: options.diff_row_count_threshold,
    ...(options.diffing_data_set_identifier === null
      ? {}
      : { diffing_threshold_exceeded: batch.diffing_threshold_exceeded }),
    ...(sender ? { user: userJson(request, sender) } : {}),
    ...(batch.processing_warnings.length > 0 ? { processing_warnings: batch.processing_warnings } : {}),
    ...(batch.processing_errors.length > 0 ? { processing_errors: batch.processing_errors } : {}),
    ...(errorsFile && !running ? { errors_attachment: fileJson(request, errorsFile) } : {}),
    ...(batch.csv_attachment_ids.length > 0 ? { csv_attachments: files(batch.csv_attachment_ids) } : {}),
    ...(batch.diffed_csv_attachment_ids.length > 0
      ? { diffed_csv_attachments: files(batch.diffed_csv_attachment_ids) }
      : {}),
  };
}

/** Returns one line of the errors list (§7). */
export function sisErrorJson(batch: SisBatch, error: SisError): Record<string, unknown> {
  return { sis_import_id: batch.id, file: error.file, message: error.message, row: error.row };
}
