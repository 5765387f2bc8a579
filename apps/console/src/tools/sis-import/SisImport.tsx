import { messages } from '@lms-admin/contract/messages';
import type { SisFile } from '@lms-admin/contract/sis-files';
import { toolById } from '@lms-admin/contract/tools';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { later } from '../../components/later.tsx';
import { clearStored } from '../../components/Wizard/stored-state.ts';
import { useStoredReducer } from '../../components/Wizard/useStoredReducer.ts';
import { Wizard } from '../../components/Wizard/Wizard.tsx';
import { sumOf, whyBlocked } from './review-words.ts';
import { EMPTY, missing, REVIEW, sisReducer, sisShape, typedNumber } from './sis-state.ts';
import { TypeStep } from './TypeStep.tsx';
import { texts } from './texts.ts';
import { useUpload } from './useUpload.ts';

const TOOL = toolById('sis-import');

// The first screen waits for the first step only; the others come while the admin is at work on it.
const file = later(() => import('./FileStep.tsx').then(({ FileStep }) => FileStep));
const review = later(() => import('./ReviewStep.tsx').then(({ ReviewStep }) => ReviewStep));
const submit = later(() =>
  import('../../components/Submission/SubmitView.tsx').then(({ SubmitView }) => SubmitView),
);

const STEPS = messages.sisImport.steps.map((title, index) => ({
  title,
  purpose: texts.purpose[index] ?? '',
}));

/** SIS Import: a CSV, or a zip of them, checked row by row, shown, and then sent to the LMS (area SIS). */
export function SisImport() {
  const [state, dispatch] = useStoredReducer(TOOL.id, sisShape, sisReducer, EMPTY);
  // The file itself: no storage of the browser takes it, so a reload before it is uploaded loses it.
  const [held, setHeld] = useState<File | null>(null);
  const announce = useAnnounce();
  const { wizard, submission } = state;
  const reviewing = wizard.step === REVIEW && wizard.view === 'steps';

  const work = useUpload(
    reviewing,
    held,
    state.uploaded,
    (uploaded) => {
      dispatch({ type: 'uploaded', id: uploaded.id });
      announce(texts.review.ready(uploaded.rows));
    },
    () => dispatch({ type: 'lost', why: 'expired' }),
  );

  const gone = state.file !== null && state.uploaded === null && held === null && wizard.view === 'steps';
  useLayoutEffect(() => {
    if (gone) dispatch({ type: 'lost', why: 'reloaded' });
  }, [gone, dispatch]);

  useEffect(() => {
    for (const { fetch } of [file, review, submit]) fetch();
  }, []);

  function goHome() {
    clearStored(TOOL.id);
    window.location.reload();
  }

  function handleNext() {
    if (!reviewing) return dispatch({ type: 'move', move: { type: 'next' } });
    if (work.file !== null) dispatch({ type: 'submit', file: work.file.id });
  }

  function handleFollow(sent: SisFile, importId: string) {
    dispatch({ type: 'submit', file: sent.id });
    dispatch({ type: 'submitted', import: importId });
  }

  const back = () => dispatch({ type: 'move', move: { type: 'back' } });
  const deletions = typedNumber(state.typed);
  return (
    <Wizard
      title={TOOL.tab ?? ''}
      steps={STEPS}
      at={wizard}
      missing={() => missing(state)}
      onNext={handleNext}
      onBack={back}
      sum={sumOf(state.file?.name ?? null, reviewing ? work.file : null)}
      blocked={reviewing ? whyBlocked(work.file, work.cancelled || work.error !== null, deletions) : null}
      {...(reviewing ? { nextLabel: texts.submit } : {})}
      progressTitle={texts.progressTitle}
    >
      {wizard.view === 'progress' ? (
        <submit.Part
          screen="sis-import"
          submission={submission}
          payload={{ file: submission.key ?? '', ...(deletions === null ? {} : { deletions }) }}
          dispatch={dispatch}
          onNotSent={() => dispatch({ type: 'not-sent', held: held !== null })}
          onHome={goHome}
        />
      ) : wizard.step === 0 ? (
        <TypeStep />
      ) : wizard.step === 1 ? (
        <file.Part
          state={state}
          onFile={(chosen, picked) => {
            setHeld(picked);
            dispatch({ type: 'file', file: chosen });
          }}
        />
      ) : (
        <review.Part
          work={work}
          uploaded={state.uploaded !== null}
          typed={state.typed}
          onTyped={(text) => dispatch({ type: 'typed', text })}
          onOther={back}
          onFollow={handleFollow}
        />
      )}
    </Wizard>
  );
}
