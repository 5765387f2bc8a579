import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';

export interface ChoiceSelectProps<Value extends string> {
  id: string;
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; disabled?: boolean }[];
  onChange: (value: Value) => void;
  hint?: string;
}

/** A choice of a few values; those that do not match the other choices are shown disabled. */
export function ChoiceSelect<Value extends string>(props: ChoiceSelectProps<Value>) {
  const { id, label, value, options, onChange, hint } = props;
  return (
    <FormControl sx={{ flex: '1 1 220px', maxWidth: 360 }}>
      <InputLabel htmlFor={id} shrink>
        {label}
      </InputLabel>
      <NativeSelect
        value={value}
        onChange={(event) => {
          const chosen = options.find((one) => one.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
        input={<OutlinedInput label={label} notched />}
        inputProps={{ id, ...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }) }}
      >
        {options.map((one) => (
          <option key={one.value} value={one.value} disabled={one.disabled}>
            {one.label}
          </option>
        ))}
      </NativeSelect>
      {hint !== undefined && <FormHelperText id={`${id}-hint`}>{hint}</FormHelperText>}
    </FormControl>
  );
}
