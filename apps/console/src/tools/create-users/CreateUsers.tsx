import type { SisImport } from '@lms-admin/contract/imports';
import { messages } from '@lms-admin/contract/messages';
import { toolById } from '@lms-admin/contract/tools';
import { usersCsv } from '@lms-admin/domain/new-users';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useEffect, useMemo } from 'react';
import { useSettings } from '../../api/queries.ts';
import { takeHandedOver } from '../../components/hand-over.ts';
import { later } from '../../components/later.tsx';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { clearStored } from '../../components/Wizard/stored-state.ts';
import { useStoredReducer } from '../../components/Wizard/useStoredReducer.ts';
import { Wizard } from '../../components/Wizard/Wizard.tsx';
import { createUsersReducer, createUsersShape, EMPTY, isBlank } from './create-users-state.ts';
import { RowsStep } from './RowsStep.tsx';
import { type FormState, formState, valuesToCheck } from './row-problems.ts';
import { texts } from './texts.ts';
import { useChecks } from './useChecks.ts';

const TOOL = toolById('create-users');
const STEPS = messages.createUsers.steps.map((title, index) => ({
  title,
  purpose: texts.purpose[index] ?? '',
}));
const REVIEW = 1;
const NOTHING = { psID: [], email: [] };

// The first screen waits for the form only; the others come while the admin is at work on it.
const review = later(() => import('./ReviewStep.tsx').then(({ ReviewStep }) => ReviewStep));
const submit = later(() =>
  import('../../components/Submission/SubmitView.tsx').then(({ SubmitView }) => SubmitView),
);
const created = later(() => import('./CreatedPeople.tsx').then(({ CreatedPeople }) => CreatedPeople));

/** Create Users: people who are not in the LMS yet, from a form or a spreadsheet (area CU). */
export function CreateUsers() {
  const settings = useSettings();
  if (settings === null) return <Skeletons lines={8} />;
  if (settings.school_email_domain !== null) return <Form domain={settings.school_email_domain} />;
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Typography variant="h1">{TOOL.tab}</Typography>
      <Paper>
        <EmptyState title={texts.notSetUp}>{texts.notSetUpNext}</EmptyState>
      </Paper>
    </Box>
  );
}

function Form({ domain }: { domain: string }) {
  const [state, dispatch] = useStoredReducer(TOOL.id, createUsersShape, createUsersReducer, EMPTY);
  const { wizard, rows, submission } = state;
  const steps = wizard.view === 'steps';
  const wanted = useMemo(() => (steps ? valuesToCheck(rows, domain) : NOTHING), [steps, rows, domain]);
  const { checks, again, forget } = useChecks(wanted);
  const form = useMemo(() => formState(rows, domain, checks), [rows, domain, checks]);
  const payload = useMemo(
    () => ({ csv: steps ? '' : usersCsv(rows), key: submission.key ?? '' }),
    [steps, rows, submission.key],
  );

  useEffect(() => {
    for (const { fetch } of [review, submit, created]) fetch();
    const emails = takeHandedOver(TOOL.id);
    if (emails !== null) dispatch({ type: 'take-over', emails });
  }, [dispatch]);

  function goHome() {
    clearStored(TOOL.id);
    window.location.reload();
  }

  function whenEnded(one: SisImport) {
    return <created.Part of={one} rows={rows} onCorrect={correct} />;
  }

  function correct(ids: readonly number[]) {
    forget();
    dispatch({ type: 'correct', ids });
  }

  const reviewing = wizard.step === REVIEW;
  return (
    <Wizard
      title={TOOL.tab ?? ''}
      steps={STEPS}
      at={wizard}
      missing={() => form.missing}
      onNext={() => dispatch(reviewing ? { type: 'submit', key: crypto.randomUUID() } : { type: 'next' })}
      onBack={() => dispatch({ type: 'back' })}
      sum={sumOf(rows.filter((row) => !isBlank(row)).length, form)}
      blocked={form.missing === null && form.waiting > 0 ? texts.waiting(form.waiting) : null}
      nextLabel={reviewing ? messages.createUsers.submit : messages.wizard.next}
      progressTitle={STEPS.at(-1)?.title ?? ''}
    >
      {!steps ? (
        <submit.Part
          screen="create-users"
          submission={submission}
          payload={payload}
          dispatch={dispatch}
          onNotSent={() => {
            // The server knows of people that the form does not know of yet.
            forget();
            dispatch({ type: 'not-sent' });
          }}
          onHome={goHome}
          ended={whenEnded}
          ownRows
        />
      ) : reviewing ? (
        <review.Part rows={rows} />
      ) : (
        <RowsStep
          state={state}
          dispatch={dispatch}
          domain={domain}
          checks={checks}
          form={form}
          onAgain={again}
        />
      )}
    </Wizard>
  );
}

function sumOf(people: number, { errors }: FormState): string {
  if (people === 0) return '';
  return errors === 0 ? texts.sum(people) : `${texts.sum(people)} · ${texts.errors(errors)}`;
}
