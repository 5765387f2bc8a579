import type { AccessPeople, AccessPlaces, AccessQuestion } from '@lms-admin/contract/access';
import { ACTIONS, type ActionId, actionById } from '@lms-admin/contract/access-actions';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { CourseField } from '../../components/CourseField/CourseField.tsx';
import { useCourseSearch } from '../../components/CourseField/course-search.ts';
import { OneField } from '../../components/CoursePicker/OptionField.tsx';
import { bestFirst } from './best-first.ts';
import { Answer, PersonAnswer, Who } from './CheckAnswers.tsx';
import { accountOptions } from './RecordFields.tsx';
import { texts } from './texts.ts';
import { namesOf } from './words.ts';

const words = texts.check;
type Kind = keyof typeof words.kinds;

/** The last question; its answer is shown until another question is asked. */
type Question =
  | { kind: 'person'; person: string }
  | { kind: 'question'; person: string; question: AccessQuestion }
  | { kind: 'who'; question: AccessQuestion };

interface Form {
  kind: Kind;
  person: string;
  action: ActionId;
  role: string;
  course: string;
  account: number | null;
}

const BEGIN: Form = { kind: 'person', person: '', action: 'course-add', role: '', course: '', account: null };

/** Builds the question of a form; `course` only if one was found. */
function questionOf({ action, role, account }: Form, course: number | null): AccessQuestion {
  const { level, place } = actionById(action);
  return {
    action,
    ...(level !== null && role !== '' ? { role: Number(role) } : {}),
    ...(place && course !== null ? { course: String(course) } : {}),
    ...(place && course === null && account !== null ? { account } : {}),
  };
}

/** Checks a person's access, or finds everyone with a certain permission. */
export function Check({ people, places }: { people: AccessPeople; places: AccessPlaces | undefined }) {
  const [form, setForm] = useState(BEGIN);
  const [submitted, setSubmitted] = useState<Question | null>(null);
  const search = useCourseSearch(form.course);
  const change = (some: Partial<Form>) => {
    setForm((now) => ({ ...now, ...some }));
    // Clears the answer, which would otherwise seem to belong to the changed question.
    setSubmitted(null);
  };
  const { kind } = form;
  // The course has to be known: without one, the answer would apply to any course.
  const isUnknown = form.course.trim() !== '' && search.number === null;
  const roleOf = ({ role }: AccessQuestion) => (role === undefined ? null : namesOf(places).role(role));
  const waits = kind !== 'person' && actionById(form.action).place && (search.looking || isUnknown);

  function handleAsk(event: FormEvent) {
    event.preventDefault();
    if (waits) return;
    const question = questionOf(form, search.number);
    const person = form.person.trim();
    if (kind === 'who') setSubmitted({ kind, question });
    else if (person !== '') setSubmitted(kind === 'person' ? { kind, person } : { kind, person, question });
  }

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography color="textSecondary">{words.purpose}</Typography>
      <Box
        component="form"
        onSubmit={handleAsk}
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)', maxWidth: 620 }}
      >
        <Choice label={words.kind} value={kind} onChange={(value) => change({ kind: value as Kind })}>
          {Object.entries(words.kinds).map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </Choice>
        {kind !== 'who' && (
          <PersonInput people={people} value={form.person} onChange={(person) => change({ person })} />
        )}
        {kind !== 'person' && <QuestionFields form={form} change={change} places={places} search={search} />}
        <Box>
          <Button type="submit" variant="contained" disabled={waits}>
            {words.ask}
          </Button>
        </Box>
      </Box>
      {submitted?.kind === 'person' && <PersonAnswer person={submitted.person} />}
      {submitted?.kind === 'question' && <Answer {...submitted} role={roleOf(submitted.question)} />}
      {submitted?.kind === 'who' && <Who {...submitted} role={roleOf(submitted.question)} />}
    </Box>
  );
}

interface PersonInputProps {
  people: AccessPeople;
  value: string;
  onChange: (person: string) => void;
}

/** A field for a login, with the logins of the records as options. */
function PersonInput({ people, value, onChange }: PersonInputProps) {
  const id = useId();
  return (
    <>
      <TextField
        label={words.person}
        helperText={words.personHint}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        slotProps={{ htmlInput: { list: id, autoComplete: 'off', spellCheck: false, maxLength: 254 } }}
      />
      <datalist id={id}>
        {people.records.map(({ login }) => (
          <option key={login} value={login} />
        ))}
      </datalist>
    </>
  );
}

interface QuestionFieldsProps {
  form: Form;
  change: (some: Partial<Form>) => void;
  places: AccessPlaces | undefined;
  search: ReturnType<typeof useCourseSearch>;
}

/** The action, and where it would take place. */
function QuestionFields({ form, change, places, search }: QuestionFieldsProps) {
  const id = useId();
  const { action, role, course, account } = form;
  const { level, place } = actionById(action);
  const options = accountOptions(places);
  return (
    <>
      <Choice label={words.action} value={action} onChange={(value) => change({ action: value as ActionId })}>
        {ACTIONS.map((one) => (
          <option key={one.id} value={one.id}>
            {one.words}
          </option>
        ))}
      </Choice>
      {level !== null && (
        <Choice label={words.role} value={role} onChange={(value) => change({ role: value })}>
          <option value="">{words.anyRole}</option>
          {places?.roles.map((one) => (
            <option key={one.id} value={one.id}>
              {one.label}
            </option>
          ))}
        </Choice>
      )}
      {place && (
        <CourseField
          id={`${id}-course`}
          label={words.course}
          value={course}
          onChange={(value) => change({ course: value })}
          search={search}
        />
      )}
      {place && (
        <OneField
          id={`${id}-programme`}
          label={words.programme}
          hint={words.anyPlace}
          options={options}
          value={options.find((one) => one.id === account) ?? null}
          loading={places === undefined}
          disabled={course !== ''}
          filterOptions={bestFirst}
          onChange={(value) => change({ account: value?.id ?? null })}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <TextField
      select
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      {children}
    </TextField>
  );
}
