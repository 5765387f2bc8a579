import type { AccessPlaces } from '@lms-admin/contract/access';
import { FLAGS, type Flag, ONLY_FOR_ALL } from '@lms-admin/domain/access';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useId } from 'react';
import { ManyField } from '../../components/CoursePicker/OptionField.tsx';
import type { Option } from '../../components/CoursePicker/options.ts';
import { bestFirst } from './best-first.ts';
import type { Draft } from './draft.ts';
import { texts } from './texts.ts';
import { namesOf, toolOfFlag } from './words.ts';

const words = texts.record;
/** Maximum number of programmes, and of roles, in one record. */
const MOST = 200;

interface FieldsProps {
  draft: Draft;
  places: AccessPlaces | undefined;
  onChange: (some: Partial<Draft>) => void;
}

/** The contents of a record, apart from its person. */
export function RecordFields(props: FieldsProps) {
  const { draft, onChange } = props;
  return (
    <>
      <Reach {...props} />
      <Tools {...props} />
      {!draft.everywhere && <Roles {...props} />}
      <TextField
        label={words.reason}
        helperText={words.reasonHint}
        value={draft.reason}
        onChange={({ target }) => onChange({ reason: target.value })}
        slotProps={{ htmlInput: { maxLength: 500 } }}
      />
      <TextField
        type="date"
        label={words.ends}
        helperText={words.endsHint}
        value={draft.day}
        onChange={({ target }) => onChange({ day: target.value })}
        slotProps={{ inputLabel: { shrink: true } }}
        sx={{ maxWidth: 320 }}
      />
      <FormControlLabel
        control={<Checkbox checked={draft.disabled} onChange={(_, disabled) => onChange({ disabled })} />}
        label={words.disabled}
      />
    </>
  );
}

function Reach({ draft, places, onChange }: FieldsProps) {
  const id = useId();
  const name = useId();
  return (
    <Box role="group" aria-labelledby={name} sx={{ display: 'grid', gap: 1 }}>
      <Box id={name} sx={{ fontWeight: 650 }}>
        {words.reach}
      </Box>
      <RadioGroup
        aria-labelledby={name}
        value={draft.everywhere ? 'all' : 'some'}
        onChange={(_, value) => onChange({ everywhere: value === 'all' })}
      >
        <FormControlLabel value="some" control={<Radio />} label={words.programmesOnly} />
        <FormControlLabel value="all" control={<Radio />} label={words.everywhere} />
      </RadioGroup>
      {!draft.everywhere && (
        <ManyField
          id={id}
          label={words.programmes}
          hint={words.programmesHint}
          options={accountOptions(places)}
          value={chosen(draft.programmes, namesOf(places).account)}
          most={MOST}
          filterOptions={bestFirst}
          loading={places === undefined}
          disabled={false}
          onChange={(value) => onChange({ programmes: value.map((one) => one.id) })}
        />
      )}
    </Box>
  );
}

function Tools({ draft, onChange }: FieldsProps) {
  const name = useId();
  const set = (flag: Flag, on: boolean) => {
    const flags = new Set(draft.flags);
    if (on) flags.add(flag);
    else flags.delete(flag);
    onChange({ flags });
  };
  return (
    <Box role="group" aria-labelledby={name}>
      <Box id={name} sx={{ fontWeight: 650 }}>
        {words.tools}
      </Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {FLAGS.map((flag) => {
          const barred = ONLY_FOR_ALL.has(flag) && !draft.everywhere;
          return (
            <FormControlLabel
              key={flag}
              control={
                <Checkbox
                  checked={draft.flags.has(flag) && !barred}
                  disabled={barred}
                  onChange={(_, on) => set(flag, on)}
                />
              }
              label={barred ? `${toolOfFlag(flag)} (${words.onlyAll.toLowerCase()})` : toolOfFlag(flag)}
            />
          );
        })}
        <FormControlLabel
          control={<Checkbox checked={draft.queue} onChange={(_, queue) => onChange({ queue })} />}
          label={words.queue}
        />
      </Box>
    </Box>
  );
}

function Roles({ draft, places, onChange }: FieldsProps) {
  const id = useId();
  const { role } = namesOf(places);
  const options = (places?.roles ?? []).map((one) => ({ id: one.id, name: one.label }));
  const field = {
    hint: words.rolesHint,
    options,
    most: MOST,
    loading: places === undefined,
    disabled: false,
  };
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '1fr 1fr' } }}>
      <ManyField
        {...field}
        id={`${id}-course`}
        label={words.courseRoles}
        value={chosen(draft.courseRoles, role)}
        onChange={(value) => onChange({ courseRoles: value.map((one) => one.id) })}
      />
      <ManyField
        {...field}
        id={`${id}-section`}
        label={words.sectionRoles}
        value={chosen(draft.sectionRoles, role)}
        onChange={(value) => onChange({ sectionRoles: value.map((one) => one.id) })}
      />
    </Box>
  );
}

const chosen = (ids: readonly number[], name: (id: number) => string): Option[] =>
  ids.map((id) => ({ id, name: name(id) }));

/** Lists accounts by name, with their parent account. */
export function accountOptions(places: AccessPlaces | undefined): Option[] {
  const names = new Map(places?.accounts.map(({ id, name }) => [id, name]));
  return (places?.accounts ?? [])
    .map(({ id, name, parent }): Option => {
      const above = parent === null ? undefined : names.get(parent);
      const firstLetter = name.slice(0, 1).toUpperCase();
      return { id, name, firstLetter, ...(above === undefined ? {} : { parent_name: above }) };
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
