import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import { later } from '../../components/later.tsx';
import { defineWizard } from '../../components/Wizard/defineWizard.tsx';
import { EMPTY, type ReportAction, type ReportState, reportReducer, reportShape } from './report-state.ts';
import { sumOf } from './report-words.ts';
import { SetupStep } from './SetupStep.tsx';
import { texts } from './texts.ts';
import { type ReportWork, useReportWork } from './useReportWork.ts';

/** Best Teaching Award Report: the votes for each professor or course (area BTA). */
export default defineWizard<ReportState, ReportAction, ReportWork>({
  tool: 'award-reports',
  texts: { steps: awardReportMessages.steps, purpose: texts.purpose },
  store: { shape: reportShape, initial: EMPTY, reduce: reportReducer },
  useWork: useReportWork,
  steps: [
    { Screen: SetupStep },
    {
      Screen: later(() => import('./ResultStep.tsx').then(({ ResultStep }) => ResultStep)),
      nextLabel: null,
    },
  ],
  sum: (_, { choice }) => sumOf(choice),
});
