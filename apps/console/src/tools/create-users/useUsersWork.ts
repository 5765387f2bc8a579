import { type Dispatch, useCallback, useMemo, useState } from 'react';
import type { ApiError } from '../../api/errors.ts';
import { useSettings } from '../../api/queries.ts';
import { askNewPeople, LookupStore } from '../../components/PeopleLookup/lookup-store.ts';
import { useLookups, useLookupVersion } from '../../components/PeopleLookup/useLookups.ts';
import type { StepProps } from '../../components/Wizard/wizard-definition.ts';
import type { WizardAction } from '../../components/Wizard/wizard-reducer.ts';
import type { CreateUsersAction, CreateUsersState } from './create-users-state.ts';
import { type Checks, type FormState, formState, peopleToCheck } from './row-problems.ts';

export interface UsersWork {
  /** The school's email domain. */
  domain: string;
  checks: Checks;
  /** Repeats the failed lookups. */
  retry: () => void;
  form: FormState;
  /** Why people could not be looked up, and what to do; null if only some lookups failed. */
  failure: ApiError | null;
}

/** Props of a step of Create Users. */
export type UsersStep = StepProps<CreateUsersState, CreateUsersAction, UsersWork>;

/** Looks up existing people in the LMS while the form can be changed, and checks the form. */
export function useUsersWork(
  { rows, wizard }: CreateUsersState,
  _dispatch: Dispatch<CreateUsersAction | WizardAction>,
): UsersWork {
  const domain = useSettings()?.school_email_domain ?? '';
  const [lookups] = useState(() => new LookupStore(askNewPeople));
  const editing = wizard.view === 'steps';
  const wanted = useMemo(() => (editing ? peopleToCheck(rows, domain) : null), [editing, rows, domain]);
  useLookups(lookups, wanted);
  const version = useLookupVersion(lookups);
  const checks = useCallback<Checks>(
    (field, value) => lookups.get(field === 'psID' ? 'sis_id' : 'login', value),
    // The store stays the same object while its content changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [lookups, version],
  );
  const form = useMemo(() => formState(rows, domain, checks), [rows, domain, checks]);
  return { domain, checks, form, failure: lookups.failure, retry: () => lookups.retry() };
}
