import { type Dispatch, useLayoutEffect, useState } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import type { StepProps } from '../../components/Wizard/wizard-definition.ts';
import type { WizardAction } from '../../components/Wizard/wizard-reducer.ts';
import type { SisAction, SisState } from './sis-state.ts';
import { texts } from './texts.ts';
import { type UploadWork, useUpload } from './useUpload.ts';

export interface SisWork {
  upload: UploadWork;
  /** Whether the browser has the chosen file: no storage takes it, so a reload before it is uploaded loses it. */
  held: boolean;
  hold: (file: File | null) => void;
}

/** What a step of SIS Import is given. */
export type SisStep = StepProps<SisState, SisAction, SisWork>;

/** Holds the chosen file, and has it uploaded and checked while the review is open. */
export function useSisWork(
  state: SisState,
  dispatch: Dispatch<SisAction | WizardAction>,
  reviewing: boolean,
): SisWork {
  const [held, hold] = useState<File | null>(null);
  const announce = useAnnounce();
  const upload = useUpload(
    reviewing,
    held,
    state.prepared,
    (uploaded) => {
      dispatch({ type: 'prepared', id: uploaded.id });
      announce(texts.review.ready(uploaded.rows));
    },
    () => dispatch({ type: 'lost', why: 'expired' }),
  );
  const gone =
    state.file !== null && state.prepared === null && held === null && state.wizard.view === 'steps';
  useLayoutEffect(() => {
    if (gone) dispatch({ type: 'lost', why: 'reloaded' });
  }, [gone, dispatch]);
  return { upload, held: held !== null, hold };
}
