import { messages } from '@lms-admin/contract/messages';
import { zoomRunMessages } from '@lms-admin/contract/messages/zoom-run';
import { refusal } from '../../components/ChipsInput/chips-state.ts';
import { whyNotFound } from '../../components/CourseField/course-search.ts';
import { later } from '../../components/later.tsx';
import { whyNoPlan } from '../../components/Planning/texts.ts';
import { defineWizard } from '../../components/Wizard/defineWizard.tsx';
import type { Missing } from '../../components/Wizard/wizard-state.ts';
import { CourseDataStep } from './CourseDataStep.tsx';
import { FIELDS } from './fields.ts';
import { EMPTY, type RunAction, type RunState, runReducer, runShape } from './run-state.ts';
import { texts } from './texts.ts';
import { type RunWork, useRunWork } from './useRunWork.ts';

const words = zoomRunMessages;

/** Zoom Event Run: updates the Zoom links of a course, once or every day (area ZR). */
export default defineWizard<RunState, RunAction, RunWork>({
  tool: 'zoom-run',
  texts: { steps: words.steps, purpose: texts.purpose, progress: words.steps.at(-1) ?? '' },
  store: { shape: runShape, initial: EMPTY, reduce: runReducer },
  useWork: useRunWork,
  steps: [
    { Screen: CourseDataStep, missing, blocked: whyBlocked },
    {
      Screen: later(() => import('./ReviewStep.tsx').then(({ ReviewStep }) => ReviewStep)),
      blocked: whyNotConfirmed,
      nextLabel: texts.confirm,
    },
  ],
  sum: sumOf,
  submits: ({ submission }) => submission.key ?? crypto.randomUUID(),
  Progress: later(() => import('./Completed.tsx').then(({ Completed }) => Completed)),
});

/** Finds the missing entry (ZR-12, ZR-13). */
function missing({ mode, chips }: RunState, { search, change }: RunWork): Missing | null {
  if (mode === 'once')
    return search.choose !== null || search.number === null
      ? { message: search.choose ?? words.needCourse, field: FIELDS.course }
      : null;
  if (refusal('course-id', chips) !== null) return { message: messages.chips.notNumeric, field: FIELDS.add };
  const entered = chips.chips.length > 0 || chips.text.trim() !== '';
  return entered || change.removed.length > 0 ? null : { message: texts.nothingChosen, field: FIELDS.add };
}

/** Explains why the review is blocked: a change to the queue needs the loaded queue; a single run does not (ZR-17). */
function whyBlocked({ mode }: RunState, { queue, search }: RunWork): string | null {
  if (mode === 'once') return whyNotFound(search);
  if (queue.data !== null) return null;
  return queue.error === null ? texts.queue.loading : texts.queue.failed;
}

function whyNotConfirmed(state: RunState, work: RunWork): string | null {
  const { queue, courses, change, absent } = work;
  const notYet = whyBlocked(state, work);
  if (notYet !== null) return notYet;
  if (courses.error !== null) return texts.review.unread;
  if (courses.data === null) return texts.review.loading;
  if (absent.length > 0) return texts.review.absent(absent);
  if (state.mode === 'once') {
    return work.review.plan === null ? whyNoPlan(work.review) : null;
  }
  if (change.added.length === 0 && change.removed.length === 0) return texts.review.nothing;
  return change.removed.length > 0 && queue.data?.may_remove === false ? texts.review.mayNotRemove : null;
}

function sumOf({ mode, days }: RunState, { search: { number }, change, courses }: RunWork): string {
  if (mode === 'queue') return texts.sum.queue(change.added.length, change.removed.length);
  if (number === null) return '';
  return texts.sum.once(courses.data?.get(number)?.code || String(number), days);
}
