import type { DraftGroup } from '@lms-admin/contract/sis-drafts';
import type { SisFile } from '@lms-admin/contract/sis-files';
import { useEffect, useMemo, useReducer } from 'react';
import { useAnnounce } from '../../../components/Announcer.tsx';
import type { CellEdit } from './correction-rows.ts';
import { type CorrectionState, Corrections, NO_DRAFT, pathOf, type Step } from './corrections.ts';

export interface CorrectionWork extends CorrectionState {
  /** Address for downloading the corrected file. */
  csv: string;
  /** Makes a correction; several corrections are made one after the other. */
  apply: (step: Step) => void;
  /** @param left the unused part of a pasted column, which is a separate step */
  edit: (cells: readonly CellEdit[], left?: string) => void;
  /** @param corrected whether the corrected rows are shown in place of those with problems */
  show: (group: DraftGroup | null, page?: number, corrected?: boolean) => void;
  finish: () => void;
  retry: () => void;
}

/**
 * Corrects a draft: corrections are sent to the server one after the other, each based on the result of the previous
 * one; waiting single cells are sent together.
 * @param onFinished the corrected file has passed the full check
 * @param onGone the server has deleted the draft
 */
export function useCorrections(
  id: string,
  onFinished: (file: SisFile) => void,
  onGone: () => void,
): CorrectionWork {
  const [state, set] = useReducer(
    (now: CorrectionState, change: (now: CorrectionState) => CorrectionState) => change(now),
    NO_DRAFT,
  );
  const announce = useAnnounce();
  const corrections = useMemo(() => new Corrections(id, set), [id]);
  useEffect(() => corrections.tell({ onFinished, onGone, announce }));
  useEffect(() => {
    void corrections.reload();
    return () => corrections.stop();
  }, [corrections]);
  const work = useMemo(
    () => ({
      apply: (step: Step) => corrections.apply(step),
      edit: (cells: readonly CellEdit[], left?: string) => corrections.edit(cells, left),
      show: (group: DraftGroup | null, page?: number, corrected?: boolean) =>
        corrections.show(group, page, corrected),
      finish: () => corrections.finish(),
      retry: () => corrections.retry(),
    }),
    [corrections],
  );
  return { ...state, ...work, csv: pathOf('sisDraftCsv', id) };
}
