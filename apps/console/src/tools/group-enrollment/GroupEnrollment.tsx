import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import { later } from '../../components/later.tsx';
import { defineWizard } from '../../components/Wizard/defineWizard.tsx';
import { CoursesStep } from './CoursesStep.tsx';
import { EMPTY, type GroupAction, type GroupState, groupReducer, groupShape } from './group-state.ts';
import { texts } from './texts.ts';
import { type GroupWork, useGroupWork } from './useGroupWork.ts';

/** Group Enrollment: categories, groups and their members, one course at a time, in the course's dialog (area GRP). */
export default defineWizard<GroupState, GroupAction, GroupWork>({
  tool: 'group-enrollment',
  texts: { steps: groupEnrollmentMessages.steps, purpose: texts.purpose, progress: texts.progressTitle },
  store: { shape: groupShape, initial: EMPTY, reduce: groupReducer },
  useWork: useGroupWork,
  steps: [
    { Screen: CoursesStep },
    {
      Screen: later(() => import('./ReviewStep.tsx').then(({ ReviewStep }) => ReviewStep)),
      blocked: () => texts.review.blocked,
      nextLabel: texts.review.submit,
    },
  ],
  sum: () => '',
  // The summary is empty and submits nothing (OP-74): submissions are followed where they were confirmed.
  submits: () => null,
  Progress: () => null,
});
