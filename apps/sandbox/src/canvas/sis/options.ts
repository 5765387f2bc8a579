import type { FastifyRequest } from 'fastify';
import { ApiError, findTerm, flag, type Params, refused, text } from '../http/context.ts';
import type { DropStatus, SisOptions } from '../store/sis-batch.ts';
import { messages } from './messages.ts';

const say = messages.request;
const DROPS: readonly string[] = ['deleted', 'completed', 'inactive'] satisfies DropStatus[];
const REMOVES: readonly string[] = ['deleted', 'suspended'];
const LONGEST_IDENTIFIER = 128;

/**
 * Reads the options of an import (§7.1).
 * @throws ApiError 400 with Canvas's texts, 500 for an unknown type.
 */
export function readOptions(request: FastifyRequest, params: Params): SisOptions {
  const type = text(params, 'import_type');
  // Canvas looks the type up in its plugins and crashes on an unknown one.
  if (type !== null && type !== '' && type !== 'instructure_csv') throw new Error('unknown import_type');
  const batchMode = flag(params, 'batch_mode');
  const termGiven = text(params, 'batch_mode_term_id') ?? '';
  // A request can ask for both modes; a named term wins.
  const multiTerm = flag(params, 'multi_term_batch_mode') && !(batchMode && termGiven !== '');
  const threshold = wholeNumber(params, 'change_threshold');
  const termId = batchMode && !multiTerm ? findBatchTerm(request, termGiven) : null;
  if (multiTerm && threshold === null) throw refused(400, say.noThreshold);
  const batchDrop = oneOf(params, 'batch_mode_enrollment_drop_status', DROPS, say.badBatchDrop);
  const diffDrop = oneOf(params, 'diffing_drop_status', DROPS, say.badDiffDrop);
  const userRemove = oneOf(params, 'diffing_user_remove_status', REMOVES, say.badUserRemove);
  const anyBatchMode = batchMode || multiTerm;
  const identifier = text(params, 'diffing_data_set_identifier')?.trim().slice(0, LONGEST_IDENTIFIER) ?? '';
  const diffing = !anyBatchMode && identifier !== '';
  const override = flag(params, 'override_sis_stickiness');
  const rows = wholeNumber(params, 'diff_row_count_threshold');
  return {
    batch_mode: anyBatchMode || null,
    batch_mode_term_id: termId,
    multi_term_batch_mode: multiTerm || null,
    batch_mode_enrollment_drop_status: batchDrop as DropStatus | null,
    override_sis_stickiness: override,
    add_sis_stickiness: override && flag(params, 'add_sis_stickiness'),
    clear_sis_stickiness: override && flag(params, 'clear_sis_stickiness'),
    update_sis_id_if_login_claimed: flag(params, 'update_sis_id_if_login_claimed'),
    skip_deletes: flag(params, 'skip_deletes'),
    change_threshold: threshold,
    diffing_data_set_identifier: diffing ? identifier : null,
    diffing_remaster: diffing && flag(params, 'diffing_remaster_data_set') ? true : null,
    diffing_drop_status: diffing ? (diffDrop as DropStatus | null) : null,
    diffing_user_remove_status: diffing ? (userRemove as SisOptions['diffing_user_remove_status']) : null,
    diff_row_count_threshold: diffing && rows !== null && rows > 0 ? rows : null,
  };
}

function findBatchTerm(request: FastifyRequest, given: string): number {
  try {
    return findTerm(request, given).id;
  } catch (error) {
    if (error instanceof ApiError) throw refused(400, say.noTerm);
    throw error;
  }
}

function wholeNumber(params: Params, name: string): number | null {
  const number = Number.parseInt(text(params, name) ?? '', 10);
  return Number.isFinite(number) ? number : null;
}

function oneOf(params: Params, name: string, allowed: readonly string[], refusal: string): string | null {
  const given = text(params, name);
  if (given === null || given === '') return null;
  if (!allowed.includes(given)) throw refused(400, refusal);
  return given;
}
