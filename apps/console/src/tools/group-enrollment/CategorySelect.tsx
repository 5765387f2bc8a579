import type { Group } from '@lms-admin/contract/canvas-objects';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { Categories } from './categories-query.ts';
import { texts } from './texts.ts';

export interface CategorySelectProps {
  id: string;
  label: string;
  /** Label of the option for no category. */
  none: string;
  categories: Categories;
  value: number | null;
  onChange: (category: number | null) => void;
  hint?: string;
  /** Text of an option, if it shows something other than its number of groups. */
  option?: (name: string, groups: readonly Group[]) => string;
}

const allGroups = (name: string, groups: readonly Group[]) => texts.option(name, groups.length);

/** A list of the categories that a file can refer to: those with an SIS ID (GRP-14, OP-108). */
export function CategorySelect(props: CategorySelectProps) {
  const { id, label, none, categories, value, onChange, hint, option = allGroups } = props;
  const options = (categories.list ?? []).filter(({ category }) => category.sis_group_category_id !== null);
  const known = options.some(({ category }) => category.id === value);
  return (
    <FormControl size="small" sx={{ flex: '1 1 260px', maxWidth: 420 }}>
      <InputLabel htmlFor={id} shrink>
        {label}
      </InputLabel>
      <NativeSelect
        value={known ? value : ''}
        onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
        input={<OutlinedInput label={label} notched />}
        inputProps={{ id, ...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }) }}
      >
        <option value="">{none}</option>
        {options.map(({ category, groups }) => (
          <option key={category.id} value={category.id}>
            {groups === null ? category.name : option(category.name, groups)}
          </option>
        ))}
      </NativeSelect>
      {hint !== undefined && <FormHelperText id={`${id}-hint`}>{hint}</FormHelperText>}
    </FormControl>
  );
}

/** Tells whether the list is loaded, and the category is not in it or has lost its SIS ID. */
export function isGone({ list }: Categories, id: number | null): boolean {
  if (id === null || list === null) return false;
  return !list.some(({ category }) => category.id === id && category.sis_group_category_id !== null);
}
