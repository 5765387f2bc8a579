/** Determines a draft's steps after a correction; rejects invalid steps, and steps that would grow without limit. */
import type { DraftCorrection } from '@lms-admin/contract/sis-drafts';
import {
  type CorrectionStep,
  MOST_CELLS,
  MOST_LEFT_OUT,
  MOST_STEPS,
  MOST_WHOLE_STEPS,
} from '@lms-admin/domain/sis-corrections';
import { AppError, fieldDetail } from '../../platform/errors.ts';
import { badRequest } from '../../platform/http-errors.ts';
import type { StoredDraft } from './store.ts';

type RequestedStep = DraftCorrection['step'];

/** @throws AppError bad-request */
export async function nextSteps(
  draft: StoredDraft,
  step: RequestedStep,
  rowsOfGroup: (group: number) => Promise<number[]>,
): Promise<CorrectionStep[]> {
  const { steps } = draft;
  if (step.does === 'undo') {
    if (steps.length === 0) throw refused('There is nothing to undo.');
    return steps.slice(0, -1);
  }
  const one = step.does === 'leave-out-group' ? await leftOut(draft, step.group, rowsOfGroup) : step;
  requireFitting(draft, one);
  const next = [...steps, one];
  requireBounded(next);
  return next;
}

async function leftOut(
  { summary }: StoredDraft,
  group: number,
  rowsOfGroup: (group: number) => Promise<number[]>,
): Promise<CorrectionStep> {
  const named = summary.draft.groups.find(({ id }) => id === group);
  if (!named) throw refused('These problems are no longer listed.');
  if (named.rows > MOST_LEFT_OUT) throw tooManyLeftOut();
  const rows = await rowsOfGroup(group);
  if (rows.length < named.rows)
    throw refused('Not all of these rows are listed yet. Correct or skip others first.');
  return { does: 'leave-out', rows };
}

function requireFitting({ steps, summary }: StoredDraft, step: CorrectionStep): void {
  const { draft } = summary;
  const { width, lastRow } = summary.shape;
  const columns = draft.columns.length;
  const requireColumn = (column: number) => {
    if (column >= columns) throw refused(`The file has ${columns} columns.`);
    if (draft.columns[column]?.secret)
      throw refused('The cells of this column are not shown and cannot be corrected here.');
  };
  if (step.does === 'columns') {
    // Cells of added columns are identified by position.
    if (steps.some(({ does }) => does !== 'columns'))
      throw refused('Undo the other corrections before you match the columns again.');
    if (step.names.length > width) throw refused(`The file has ${width} columns.`);
    const names = [...step.names, ...step.added.map(({ name }) => name)].filter((name) => name !== '');
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined)
      throw refused(`Two columns would be ${twice}. Choose “not sent” for one of them.`);
    if (names.length === 0) throw refused('No column would be sent.');
  } else if (step.does === 'replace' || step.does === 'join') {
    requireColumn(step.column);
    if (step.does === 'replace' && step.from === step.to) throw refused('The value is the same as before.');
  } else {
    const rows = step.does === 'cells' ? step.cells.map(({ row }) => row) : step.rows;
    const wrong = rows.find((row) => row < 2 || row > lastRow);
    if (wrong !== undefined) throw refused(`The file has no row ${wrong} below its header.`);
    if (step.does === 'cells') for (const { column } of step.cells) requireColumn(column);
  }
}

function requireBounded(steps: readonly CorrectionStep[]): void {
  let cells = 0;
  let whole = 0;
  const out = new Set<number>();
  for (const step of steps) {
    if (step.does === 'cells') cells += step.cells.length;
    else if (step.does === 'leave-out') for (const row of step.rows) out.add(row);
    else whole++;
  }
  if (out.size > MOST_LEFT_OUT) throw tooManyLeftOut();
  if (cells > MOST_CELLS)
    throw tooMuch(`At most ${MOST_CELLS.toLocaleString('en-GB')} cells can be corrected here.`);
  if (whole > MOST_WHOLE_STEPS || steps.length > MOST_STEPS)
    throw tooMuch('This file has reached the maximum number of corrections.');
}

function refused(message: string): AppError {
  return badRequest([fieldDetail('step', message)]);
}

function tooManyLeftOut(): AppError {
  return new AppError('bad-request', {
    message: `At most ${MOST_LEFT_OUT.toLocaleString('en-GB')} rows can be skipped here.`,
    next: 'Correct the value in all rows at once, or remove these rows from the file and upload it again.',
  });
}

function tooMuch(message: string): AppError {
  return new AppError('bad-request', {
    message,
    next: 'Save the file, correct the rest in it, and upload it again.',
  });
}
