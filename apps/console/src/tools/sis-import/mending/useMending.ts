import type { DraftGroup } from '@lms-admin/contract/sis-drafts';
import type { SisFile } from '@lms-admin/contract/sis-files';
import { useEffect, useMemo, useReducer } from 'react';
import { useAnnounce } from '../../../components/Announcer.tsx';
import { Corrections, type MendingState, NO_DRAFT, pathOf, type Step } from './corrections.ts';
import type { CellEdit } from './mending-rows.ts';

export interface MendingWork extends MendingState {
  /** Where the mended file is saved from. */
  csv: string;
  /** Makes a correction; several are made one after the other. */
  apply: (step: Step) => void;
  /** @param stay whether the rows stay where they are once they are right */
  edit: (cells: readonly CellEdit[], stay?: boolean) => void;
  show: (group: DraftGroup | null, page?: number) => void;
  finish: () => void;
  again: () => void;
}

/**
 * A draft that is mended: corrections go to the server one after the other, each made on what the one before has left; single cells
 * that wait are sent together.
 * @param onFinished the mended file has passed the whole check
 * @param onGone the server does not keep the draft any more
 */
export function useMending(id: string, onFinished: (file: SisFile) => void, onGone: () => void): MendingWork {
  const [state, set] = useReducer(
    (now: MendingState, change: (now: MendingState) => MendingState) => change(now),
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
      edit: (cells: readonly CellEdit[], stay?: boolean) => corrections.edit(cells, stay),
      show: (group: DraftGroup | null, page?: number) => corrections.show(group, page),
      finish: () => corrections.finish(),
      again: () => corrections.again(),
    }),
    [corrections],
  );
  return { ...state, ...work, csv: pathOf('sisDraftCsv', id) };
}
