import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import type { ZoomOwner, ZoomOwners } from '@lms-admin/contract/zoom';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { ChipsInput } from '../../components/ChipsInput/ChipsInput.tsx';
import { ChoiceInput } from '../../components/Field/ChoiceInput.tsx';
import { type PublishForm, whyNotVisible, withOwner } from './publish-form.ts';
import { texts } from './texts.ts';

const words = zoomCreationMessages.publish;
/** IDs of the fields, for the focus after a warning. */
export const PUBLISH_FIELDS = {
  owner: 'zoom-owner',
  visible: 'zoom-visible',
  coHosts: 'zoom-co-hosts',
} as const;

interface PublishFieldsProps {
  form: PublishForm;
  owners: ZoomOwners;
  onChange: (form: PublishForm) => void;
  /** Called with the documented warning about a value that is not possible. */
  onWarn: (text: string) => void;
}

/** Owner, visibility, host and alternative hosts (ZC-18 to ZC-22, ZC-27, ZC-28). */
export function PublishFields({ form, owners, onChange, onWarn }: PublishFieldsProps) {
  const standard = owners.default.email;

  function handleVisible(visible: boolean) {
    const refused = visible ? whyNotVisible(form, standard) : null;
    if (refused === null) onChange({ ...form, visible });
    else onWarn(refused);
  }

  return (
    <Box sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start' }}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <Turn
          id="zoom-own"
          label={words.owner}
          hint={texts.publish.ownerHint}
          on={form.own}
          onTurn={(own) => onChange(withOwner(form, own, standard))}
        />
        <Turn
          id={PUBLISH_FIELDS.visible}
          label={words.visibility}
          hint={texts.publish.visibleHint}
          on={form.visible}
          onTurn={handleVisible}
        />
      </Box>
      <OwnerField
        owners={owners}
        own={form.own}
        value={form.owner}
        onChange={(owner) => onChange({ ...form, owner })}
      />
      <ChipsInput
        kind="email"
        id={PUBLISH_FIELDS.coHosts}
        label={texts.publish.coHosts}
        hint={texts.publish.coHostsHint}
        state={form.coHosts}
        onChange={(coHosts) => onChange({ ...form, coHosts })}
      />
    </Box>
  );
}

interface TurnProps {
  id: string;
  label: string;
  hint: string;
  on: boolean;
  onTurn: (on: boolean) => void;
}

function Turn({ id, label, hint, on, onTurn }: TurnProps) {
  return (
    <FormControl>
      <FormControlLabel
        control={
          <Switch
            id={id}
            checked={on}
            onChange={(_, next) => onTurn(next)}
            slotProps={{ input: { 'aria-describedby': `${id}-hint` } }}
          />
        }
        label={label}
      />
      <FormHelperText id={`${id}-hint`} sx={{ mx: 0 }}>
        {hint}
      </FormHelperText>
    </FormControl>
  );
}

const is = (email: string) => (one: ZoomOwner) => one.email.toLowerCase() === email.toLowerCase();

interface OwnerFieldProps {
  owners: ZoomOwners;
  own: boolean;
  value: string | null;
  onChange: (owner: string | null) => void;
}

/** The possible hosts with the remainder of their daily limit; the placeholder comes first (ZC-19, ZC-20, OP-104). */
function OwnerField({ owners, own, value, onChange }: OwnerFieldProps) {
  const options = useMemo(() => [owners.default, ...owners.owners], [owners]);
  // The current host may have lost the permission to host: the server says so, and the field still shows the host.
  // The object stays the same between renders: the field would treat another one as a new choice and discard the
  // typed text.
  const chosen = useMemo(
    () => (value === null ? null : (options.find(is(value)) ?? { email: value, name: value, left: 0 })),
    [options, value],
  );
  return (
    <Autocomplete<ZoomOwner>
      id={PUBLISH_FIELDS.owner}
      options={options}
      value={chosen}
      disabled={!own}
      autoHighlight
      onChange={(_, next) => onChange(next?.email ?? null)}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ email }) => email}
      isOptionEqualToValue={(one, other) => is(other.email)(one)}
      // The email address is searched as well.
      filterOptions={(all, { inputValue }) => {
        const wanted = inputValue.trim().toLowerCase();
        return all.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted));
      }}
      noOptionsText={texts.publish.noOwners}
      disablePortal
      slotProps={{ listbox: { component: 'div' as const } }}
      renderOption={({ key, ...rest }: React.HTMLAttributes<HTMLElement> & { key?: React.Key }, one) => (
        <div key={key} {...rest}>
          <Box sx={{ display: 'flex', gap: 2, width: '100%', justifyContent: 'space-between', minWidth: 0 }}>
            <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {one.name}
              <Typography component="span" variant="body2" color="textSecondary" sx={{ display: 'block' }}>
                {one.email}
              </Typography>
            </Box>
            <Typography
              component="span"
              variant="body2"
              color="textSecondary"
              sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}
            >
              {texts.left(one.left)}
            </Typography>
          </Box>
        </div>
      )}
      renderInput={(params) => (
        <ChoiceInput
          params={params}
          label={words.zoomOwner}
          hint={own ? texts.publish.ownerField : texts.publish.ownerOff}
        />
      )}
    />
  );
}
