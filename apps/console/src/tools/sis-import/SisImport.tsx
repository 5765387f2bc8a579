import { sisImportMessages } from '@lms-admin/contract/messages/sis-import';
import { later } from '../../components/later.tsx';
import { importProgress } from '../../components/Submission/importProgress.tsx';
import { defineWizard } from '../../components/Wizard/defineWizard.tsx';
import { texts as corrections } from './corrections/texts.ts';
import { draftOf } from './handed-draft.ts';
import { sumOf, takesOf, whyBlocked } from './review-words.ts';
import {
  EMPTY,
  fileMissing,
  type SisAction,
  type SisState,
  sisReducer,
  sisShape,
  typedNumber,
} from './sis-state.ts';
import { TypeStep } from './TypeStep.tsx';
import { texts } from './texts.ts';
import { type SisWork, useSisWork } from './useSisWork.ts';

/** SIS Import: a CSV, or a zip of them, checked row by row, shown, and then sent to the LMS (area SIS). */
export default defineWizard<SisState, SisAction, SisWork>({
  tool: 'sis-import',
  texts: { steps: sisImportMessages.steps, purpose: texts.purpose, progress: texts.progressTitle },
  store: { shape: sisShape, initial: EMPTY, reduce: sisReducer },
  useWork: useSisWork,
  steps: [
    { Screen: TypeStep },
    {
      Screen: later(() => import('./FileStep.tsx').then(({ FileStep }) => FileStep)),
      missing: fileMissing,
    },
    {
      Screen: later(() => import('./ReviewStep.tsx').then(({ ReviewStep }) => ReviewStep)),
      blocked: ({ typed, allowed, draft, prepared }, { upload, effect }) =>
        (draft !== null && prepared === null ? corrections.blocked : null) ??
        whyBlocked(
          upload.file,
          effect.plan,
          upload.cancelled || upload.error !== null || effect.cancelled || effect.error !== null,
          typedNumber(typed),
          allowed,
        ),
      nextLabel: texts.submit,
      removes: (_, { upload, effect }) => takesOf(upload.file, effect.plan) !== null,
      takes: (_, { upload, effect }) => takesOf(upload.file, effect.plan),
    },
  ],
  sum: ({ file }, { upload }, reviewing) => sumOf(file?.name ?? null, reviewing ? upload.file : null),
  submits: (_, { upload }) => upload.file?.id ?? null,
  takeOver: (texts) => ({ type: 'continue', draft: draftOf(texts) }),
  Progress: importProgress({
    screen: 'sis-import',
    Below: later(() => import('./SentFile.tsx').then(({ SentFile }) => SentFile)),
    payload({ submission, typed, allowed }) {
      const deletions = typedNumber(typed);
      return {
        file: submission.key ?? '',
        ...(deletions === null ? {} : { deletions }),
        ...(allowed.length === 0 ? {} : { new_courses: allowed }),
      };
    },
    retryLabel: texts.recheck,
    onNotSent: (dispatch, { held }) => dispatch({ type: 'refused', held }),
  }),
});
