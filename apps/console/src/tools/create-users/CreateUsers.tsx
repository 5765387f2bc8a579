import { createUsersMessages } from '@lms-admin/contract/messages/create-users';
import { toolById } from '@lms-admin/contract/tools';
import { usersCsv } from '@lms-admin/domain/new-users';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useSettings } from '../../api/queries.ts';
import { enteredRow } from '../../components/ImportProgress/row-messages.ts';
import { later } from '../../components/later.tsx';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { importProgress } from '../../components/Submission/importProgress.tsx';
import { defineWizard } from '../../components/Wizard/defineWizard.tsx';
import {
  type CreateUsersAction,
  type CreateUsersState,
  createUsersReducer,
  createUsersShape,
  EMPTY,
  isBlank,
} from './create-users-state.ts';
import { RowsStep } from './RowsStep.tsx';
import type { FormState } from './row-problems.ts';
import { texts } from './texts.ts';
import { type UsersWork, useUsersWork } from './useUsersWork.ts';

const TOOL = 'create-users';

const Form = defineWizard<CreateUsersState, CreateUsersAction, UsersWork>({
  tool: TOOL,
  texts: {
    steps: createUsersMessages.steps,
    purpose: texts.purpose,
    progress: createUsersMessages.steps.at(-1) ?? '',
  },
  store: { shape: createUsersShape, initial: EMPTY, reduce: createUsersReducer },
  useWork: useUsersWork,
  steps: [
    { Screen: RowsStep, missing: (_, { form }) => form.missing, blocked: (_, { form }) => whyBlocked(form) },
    {
      Screen: later(() => import('./ReviewStep.tsx').then(({ ReviewStep }) => ReviewStep)),
      missing: (_, { form }) => form.missing,
      blocked: (_, { form }) => whyBlocked(form),
      nextLabel: createUsersMessages.submit,
    },
  ],
  sum: ({ rows }, { form }) => sumOf(rows.filter((row) => !isBlank(row)).length, form),
  submits: ({ submission }) => submission.key ?? crypto.randomUUID(),
  Progress: importProgress({
    screen: 'create-users',
    payload: ({ rows, submission }) => ({ csv: usersCsv(rows), key: submission.key ?? '' }),
    retryLabel: texts.backToForm,
    rowOf: enteredRow,
    Ended: later(() => import('./CreatedPeople.tsx').then(({ CreatedPeople }) => CreatedPeople)),
  }),
  takeOver: (emails) => ({ type: 'take-over', emails }),
});

/** Create Users: people who are not in the LMS yet, from a form or a spreadsheet (area CU). */
export default function CreateUsers() {
  const settings = useSettings();
  if (settings === null) return <Skeletons lines={8} />;
  if (settings.school_email_domain !== null) return <Form />;
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Typography variant="h1">{toolById(TOOL).tab}</Typography>
      <Paper>
        <EmptyState title={texts.notSetUp}>{texts.notSetUpNext}</EmptyState>
      </Paper>
    </Box>
  );
}

/** Explains why Next cannot be pressed: a person may already exist. Missing entries are reported on pressing Next. */
function whyBlocked({ missing, waiting }: FormState): string | null {
  return missing === null && waiting > 0 ? texts.waiting(waiting) : null;
}

function sumOf(people: number, { errors }: FormState): string {
  if (people === 0) return '';
  return errors === 0 ? texts.sum(people) : `${texts.sum(people)} · ${texts.errors(errors)}`;
}
