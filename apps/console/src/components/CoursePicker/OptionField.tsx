import Autocomplete, { type AutocompleteRenderInputParams } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { ChoiceInput } from '../Field/ChoiceInput.tsx';
import { CloseIcon } from '../Icons.tsx';
import { texts } from './texts.ts';

export interface Option {
  id: number;
  name: string;
  firstLetter?: string;
  /** Quiet text behind the name, such as the account above. */
  parent_name?: string;
}

interface CommonProps {
  id: string;
  label: string;
  options: readonly Option[];
  /** Below the field: what it wants, or why it cannot be used. */
  hint: ReactNode;
  loading: boolean;
  disabled: boolean;
  /** The account that most options lie in: it is not worth saying. */
  usualParent?: string;
}

/** One choice from a list that is sorted and grouped by first letter. */
export function OneField(
  props: CommonProps & { value: Option | null; onChange: (value: Option | null) => void },
) {
  return (
    <Autocomplete<Option>
      {...common(props)}
      value={props.value}
      onChange={(_, value) => props.onChange(value)}
      autoHighlight
    />
  );
}

/** Up to `most` choices; when they are reached, the other options are disabled and the field says so (PICK-04). */
export function ManyField(
  props: CommonProps & {
    value: readonly Option[];
    most: number;
    /** Shows its value without letting it change. */
    readOnly?: boolean;
    onChange: (value: readonly Option[]) => void;
  },
) {
  const { value, most, onChange, disabled, hint, readOnly = false } = props;
  const full = value.length >= most;
  const count =
    value.length > 0 && !disabled && !readOnly
      ? full
        ? texts.full(most)
        : texts.most(value.length, most)
      : null;
  return (
    <Autocomplete<Option, true>
      {...common({ ...props, hint: count ?? hint })}
      multiple
      disableCloseOnSelect
      readOnly={readOnly}
      value={[...value]}
      onChange={(_, next) => onChange(next)}
      getOptionDisabled={(option) => full && !value.some((one) => one.id === option.id)}
      renderValue={(chosen, itemProps) =>
        chosen.map((option, index) => {
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

function common({ id, label, options, hint, loading, disabled, usualParent }: CommonProps) {
  return {
    id,
    options,
    loading,
    disabled,
    loadingText: texts.loading,
    noOptionsText: texts.noOptions,
    getOptionLabel: (option: Option) => option.name,
    getOptionKey: (option: Option) => option.id,
    isOptionEqualToValue: (option: Option, value: Option) => option.id === value.id,
    groupBy: (option: Option) => option.firstLetter ?? '',
    // Inside the page and not at its end: what opens belongs to the main part for people who hear the page.
    disablePortal: true,
    // Groups of options are no list items; plain elements carry the roles.
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
