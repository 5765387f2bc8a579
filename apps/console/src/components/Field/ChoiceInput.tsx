import type { AutocompleteRenderInputParams } from '@mui/material/Autocomplete';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { ReactNode } from 'react';
import { useMissing } from '../Wizard/missing-field.ts';

export interface ChoiceInputProps {
  /** Parameters that the list of choices passes to its field. */
  params: AutocompleteRenderInputParams;
  label: string;
  /** Text below the field: what to enter, or why it cannot be used. */
  hint?: ReactNode;
}

/** The input of a list of choices. MUI's TextField would bring its menus into the first screen's script. */
export function ChoiceInput({ params, label, hint }: ChoiceInputProps) {
  const { id, disabled, fullWidth, size, slotProps } = params;
  const hintId = `${id}-hint`;
  const missing = useMissing(id);
  return (
    <FormControl variant="outlined" disabled={disabled} fullWidth={fullWidth} size={size} error={missing}>
      <InputLabel {...slotProps.inputLabel}>{label}</InputLabel>
      <OutlinedInput
        {...slotProps.input}
        id={id}
        label={label}
        fullWidth={fullWidth}
        inputProps={slotProps.htmlInput}
        {...(hint === undefined ? {} : { 'aria-describedby': hintId })}
      />
      {hint !== undefined && (
        // The reason why a field cannot be used must not look disabled.
        <FormHelperText id={hintId} sx={{ '&.Mui-disabled': { color: 'text.secondary' } }}>
          {hint}
        </FormHelperText>
      )}
    </FormControl>
  );
}
