import Autocomplete, { type AutocompleteRenderInputParams } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { type ReactNode, useMemo } from 'react';
import { ChoiceInput } from '../Field/ChoiceInput.tsx';
import { CloseIcon } from '../Icons.tsx';
import type { CommonProps, ManyFieldProps, OneFieldProps, Option } from './options.ts';
import { texts } from './texts.ts';

/** One choice from a list that is sorted and grouped by first letter. */
export function OneField(props: OneFieldProps) {
  return (
    <Autocomplete<Option>
      {...common(props)}
      value={props.value}
      onChange={(_, value) => props.onChange(value)}
      autoHighlight
    />
  );
}

/** Up to `most` choices; at the limit, the other options are disabled and the field says so (PICK-04). */
export function ManyField(props: ManyFieldProps) {
  const { value, most, onChange, disabled, hint, readOnly = false } = props;
  const full = value.length >= most;
  // A new array would count as a new choice, and the field would drop the typed text with each page of courses.
  const chosen = useMemo(() => [...value], [value]);
  return (
    <Autocomplete<Option, true>
      {...common({ ...props, hint: full && !disabled && !readOnly ? texts.full(most) : hint })}
      multiple
      disableCloseOnSelect
      readOnly={readOnly}
      value={chosen}
      onChange={(_, next) => onChange(next)}
      getOptionDisabled={(option) => full && !value.some((one) => one.id === option.id)}
      renderValue={(shown, itemProps) =>
        shown.map((option, index) => {
          const { key, onDelete, ...rest } = itemProps({ index });
          return (
            <Chip
              key={key}
              {...rest}
              {...(readOnly ? {} : { onDelete })}
              size="small"
              label={option.name}
              deleteIcon={<CloseIcon size={14} style={{ marginInline: '0 6px' }} />}
            />
          );
        })
      }
    />
  );
}

function common(props: CommonProps) {
  const { id, label, options, hint, loading, disabled, usualParent } = props;
  return {
    ...(props.filterOptions && { filterOptions: props.filterOptions }),
    id,
    size: 'small' as const,
    options,
    loading,
    disabled,
    loadingText: texts.loading,
    noOptionsText: texts.noOptions,
    getOptionLabel: (option: Option) => option.name,
    getOptionKey: (option: Option) => option.id,
    isOptionEqualToValue: (option: Option, value: Option) => option.id === value.id,
    groupBy: (option: Option) => option.firstLetter ?? '',
    // Inside the page and not at its end, so that screen readers find the list in the main part.
    disablePortal: true,
    // Groups of options are not list items; plain elements carry the roles.
    slotProps: { listbox: { component: 'div' as const } },
    renderGroup: ({ key, group, children }: { key: React.Key; group: string; children?: ReactNode }) => (
      <div key={key} role="group" aria-label={group}>
        <Typography
          aria-hidden="true"
          variant="body2"
          sx={{ px: 2, py: 0.5, fontWeight: 650, color: 'text.secondary', bgcolor: 'surface.sunken' }}
        >
          {group}
        </Typography>
        {children}
      </div>
    ),
    renderOption: (props: React.HTMLAttributes<HTMLElement> & { key?: React.Key }, option: Option) => {
      const { key, ...rest } = props;
      return (
        <div key={key} {...rest}>
          <Box sx={{ display: 'flex', gap: 2, width: '100%', justifyContent: 'space-between' }}>
            <span>{option.name}</span>
            {option.parent_name !== undefined && option.parent_name !== usualParent && (
              <Typography component="span" variant="body2" color="textSecondary">
                {option.parent_name}
              </Typography>
            )}
          </Box>
        </div>
      );
    },
    renderInput: (params: AutocompleteRenderInputParams) => (
      <ChoiceInput params={params} label={label} hint={hint} />
    ),
  };
}
