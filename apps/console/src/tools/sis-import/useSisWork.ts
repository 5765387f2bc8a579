import type { SisEffect } from '@lms-admin/contract/sis-effects';
import { type Dispatch, useLayoutEffect, useState } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import type { PlanWork } from '../../components/Planning/usePlan.ts';
import type { StepProps } from '../../components/Wizard/wizard-definition.ts';
import type { WizardAction } from '../../components/Wizard/wizard-reducer.ts';
import type { SisAction, SisState } from './sis-state.ts';
import { texts } from './texts.ts';
import { useEffectOf } from './useEffectOf.ts';
import { type UploadWork, useUpload } from './useUpload.ts';

export interface SisWork {
  upload: UploadWork;
  /** The changes of the uploaded file. */
  effect: PlanWork<SisEffect>;
  /** Whether the browser has the chosen file. It cannot be stored, so a reload before the upload loses it. */
  held: boolean;
  hold: (file: File | null) => void;
}

/** Props of a step of SIS Import. */
export type SisStep = StepProps<SisState, SisAction, SisWork>;

/** Keeps the chosen file, and uploads and checks it while the review is open. */
export function useSisWork(
  state: SisState,
  dispatch: Dispatch<SisAction | WizardAction>,
  reviewing: boolean,
): SisWork {
  const [held, hold] = useState<File | null>(null);
  const announce = useAnnounce();
  const upload = useUpload(
    // A file that is being corrected is not uploaded again.
    reviewing && (state.draft === null || state.prepared !== null),
    held,
    state.prepared,
    (uploaded) => {
      dispatch({ type: 'prepared', id: uploaded.id });
      announce(texts.review.ready(uploaded.rows));
    },
    (id) => dispatch({ type: 'draft', id }),
    () => dispatch({ type: 'lost', why: 'expired' }),
  );
  const effect = useEffectOf(
    reviewing ? upload.file : null,
    state.again,
    (key) => dispatch({ type: 'work-out-again', key }),
    () => announce(texts.review.workedOut),
  );
  const gone =
    state.file !== null &&
    state.prepared === null &&
    state.draft === null &&
    held === null &&
    state.wizard.view === 'steps';
  useLayoutEffect(() => {
    if (gone) dispatch({ type: 'lost', why: 'reloaded' });
  }, [gone, dispatch]);
  return { upload, effect, held: held !== null, hold };
}
