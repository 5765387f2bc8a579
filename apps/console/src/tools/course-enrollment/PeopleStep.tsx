import { messages } from '@lms-admin/contract/messages';
import type { EnrollmentStatus } from '@lms-admin/domain/enrollment-plan';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useMemo, useState } from 'react';
import { ChoiceInput } from '../../components/Field/ChoiceInput.tsx';
import { LookupStore } from '../../components/PeopleLookup/lookup-store.ts';
import { PeopleField } from '../../components/PeopleLookup/PeopleField.tsx';
import { useLookups } from '../../components/PeopleLookup/useLookups.ts';
import { useRoles } from '../../components/roles.ts';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { useMissing } from '../../components/Wizard/missing-field.ts';
import { FIELDS, type Role } from './enrollment-state.ts';
import { texts } from './texts.ts';
import type { EnrollmentStep } from './useEnrollmentWork.ts';

const STATUSES: readonly EnrollmentStatus[] = ['active', 'deleted'];

/** Step 'Roles and Users': role, action and people (CE-05). */
export function PeopleStep({ state, dispatch, work: { kept } }: EnrollmentStep) {
  // Only this step looks people up, so only this step loads the script for it.
  const [lookups] = useState(() => (kept.lookups ??= new LookupStore()));
  const { chips } = state.people;
  useLookups(
    lookups,
    useMemo(() => ({ email: chips }), [chips]),
  );
  const roles = useRoles('course');
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      {roles.error !== null && (
        <ErrorState error={roles.error} title={texts.rolesFailed} onRetry={roles.retry} />
      )}
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '1fr 1fr' },
          maxWidth: 960,
        }}
      >
        <RoleField roles={roles} role={state.role} onChange={(role) => dispatch({ type: 'role', role })} />
        <ActionField status={state.status} onChange={(status) => dispatch({ type: 'status', status })} />
      </Box>
      <PeopleField
        kind="email"
        id={FIELDS.people}
        label={texts.people}
        hint={texts.peopleHint}
        people={state.people}
        lookups={lookups}
        onChange={(people) => dispatch({ type: 'people', people })}
      />
    </Box>
  );
}

interface RoleFieldProps {
  roles: ReturnType<typeof useRoles>;
  role: Role | null;
  onChange: (role: Role | null) => void;
}

function RoleField({ roles, role, onChange }: RoleFieldProps) {
  return (
    <Autocomplete<Role>
      id={FIELDS.role}
      options={roles.options}
      loading={roles.loading}
      loadingText={texts.loadingRoles}
      noOptionsText={roles.options.length === 0 ? texts.rolesEmpty : texts.rolesNoMatch}
      value={role}
      onChange={(_, chosen) => onChange(chosen)}
      getOptionLabel={(one) => one.label}
      getOptionKey={(one) => one.id}
      isOptionEqualToValue={(option, value) => option.id === value.id}
      autoHighlight
      disablePortal
      renderInput={(params) => <ChoiceInput params={params} label={texts.role} />}
    />
  );
}

interface ActionFieldProps {
  status: EnrollmentStatus | null;
  onChange: (status: EnrollmentStatus) => void;
}

function ActionField({ status, onChange }: ActionFieldProps) {
  const actionMissing = useMissing(FIELDS.action);
  return (
    <FormControl error={actionMissing}>
      <FormLabel id={`${FIELDS.action}-label`} sx={{ typography: 'h3', color: 'text.primary' }}>
        {texts.action}
      </FormLabel>
      <RadioGroup
        row
        aria-labelledby={`${FIELDS.action}-label`}
        aria-describedby={`${FIELDS.action}-hint`}
        aria-invalid={actionMissing || undefined}
        value={status ?? ''}
        onChange={(_, value) => {
          const chosen = STATUSES.find((one) => one === value);
          if (chosen) onChange(chosen);
        }}
      >
        {STATUSES.map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            label={messages.enrollment.actions[one]}
            control={<Radio slotProps={{ input: one === 'active' ? { id: FIELDS.action } : {} }} />}
          />
        ))}
      </RadioGroup>
      <FormHelperText id={`${FIELDS.action}-hint`} sx={{ mx: 0, minHeight: 20 }}>
        {status !== null ? texts.actionHint[status] : actionMissing ? messages.enrollment.needAction : ''}
      </FormHelperText>
    </FormControl>
  );
}
