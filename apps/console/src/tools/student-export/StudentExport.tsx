import { studentExportMessages } from '@lms-admin/contract/messages/student-export';
import { whyNotFound } from '../../components/CourseField/course-search.ts';
import { later } from '../../components/later.tsx';
import { defineWizard } from '../../components/Wizard/defineWizard.tsx';
import { CourseStep } from './CourseStep.tsx';
import { COURSE_FIELD } from './course-field.ts';
import { EMPTY, type ExportAction, type ExportState, exportReducer, exportShape } from './export-state.ts';
import { texts } from './texts.ts';
import { type ExportWork, useExportWork } from './useExportWork.ts';

const words = studentExportMessages;

/** Course Student Export: the students of a course as a file (area EXP). */
export default defineWizard<ExportState, ExportAction, ExportWork>({
  tool: 'student-export',
  texts: { steps: words.steps, purpose: texts.purpose, progress: words.steps.at(-1) ?? '' },
  store: { shape: exportShape, initial: EMPTY, reduce: exportReducer },
  useWork: useExportWork,
  steps: [
    {
      Screen: CourseStep,
      missing: (_, { search: { number, choose, none } }) =>
        choose !== null || number === null
          ? { message: choose ?? none ?? words.needCourse, field: COURSE_FIELD }
          : null,
      blocked: (_, { search }) => whyNotFound(search),
    },
    {
      Screen: later(() => import('./ReviewStep.tsx').then(({ ReviewStep }) => ReviewStep)),
      blocked: (_, work) => whyBlocked(work),
      nextLabel: texts.export,
    },
  ],
  sum: ({ groups }, { details }, reviewing) =>
    reviewing && details !== null ? texts.sum(details.total_students, groups) : '',
  submits: ({ submission }) => submission.key ?? crypto.randomUUID(),
  Progress: later(() => import('./Download.tsx').then(({ Download }) => Download)),
});

/** Explains why nothing can be exported at the moment (EXP-06, EXP-08, EXP-09). */
function whyBlocked({ details, absent, error }: ExportWork): string | null {
  if (absent) return words.notFound;
  if (error !== null) return texts.unread;
  if (details === null) return words.loading;
  return details.total_students === 0 ? words.nobody : null;
}
