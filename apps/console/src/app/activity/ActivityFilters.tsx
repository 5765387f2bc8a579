import { TOOLS } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useEffect, useState } from 'react';
import { texts as words } from '../../components/Job/texts.ts';
import { SCREENS } from '../../tools/index.ts';
import { type Filters, isBackwards, isNarrowed, NO_FILTERS, STATE_FILTERS } from './activity-filters.ts';
import { texts } from './texts.ts';
import { nameOfTool } from './tool-names.ts';

/** Milliseconds after the last keystroke until the list is updated. */
const TYPING_MS = 350;

export interface ActivityFiltersProps {
  filters: Filters;
  /** Whether the administrator can see everyone's work. */
  mayAll: boolean;
  /** Called with the changed filters; the others stay. */
  onChange: (some: Partial<Filters>) => void;
}

/** The filters of the list: words, tool, state, days and owner. */
export function ActivityFilters({ filters, mayAll, onChange }: ActivityFiltersProps) {
  const built = TOOLS.filter(({ id }) => SCREENS[id] !== undefined);
  return (
    <Box
      role="search"
      aria-label={texts.filters}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr 1fr', md: '1.4fr 1.3fr 1.1fr 156px 156px' },
        gap: 1.5,
        alignItems: 'start',
      }}
    >
      <Words text={filters.text} onChange={(text) => onChange({ text })} />
      <Choice
        label={texts.tool}
        any={texts.anyTool}
        value={filters.tool}
        options={built.map(({ id }) => [id, nameOfTool(id)])}
        onChange={(tool) => onChange({ tool })}
      />
      <Choice
        label={texts.state}
        any={texts.anyState}
        value={filters.state}
        options={STATE_FILTERS.map((state) => [state, state === 'open' ? texts.open : words.states[state]])}
        onChange={(state) => onChange({ state })}
      />
      <Day label={texts.from} value={filters.from} onChange={(from) => onChange({ from })} />
      <Day
        label={texts.to}
        value={filters.to}
        problem={isBackwards(filters) ? texts.backwards : ''}
        onChange={(to) => onChange({ to })}
      />
      {(mayAll || isNarrowed(filters)) && (
        <OwnerAndClear filters={filters} mayAll={mayAll} onChange={onChange} />
      )}
    </Box>
  );
}

/** The line below the filters: the switch to everyone's entries, and the button that clears the filters. */
function OwnerAndClear({ filters, mayAll, onChange }: ActivityFiltersProps) {
  return (
    <Box
      sx={{
        gridColumn: '1 / -1',
        display: 'flex',
        flexWrap: 'wrap',
        gap: 1,
        justifyContent: 'space-between',
      }}
    >
      {mayAll && (
        <FormControlLabel
          control={<Switch checked={filters.all} onChange={(_, all) => onChange({ all })} />}
          label={texts.everyone}
        />
      )}
      {isNarrowed(filters) && (
        <Button size="small" onClick={() => onChange({ ...NO_FILTERS, all: filters.all })}>
          {texts.clear}
        </Button>
      )}
    </Box>
  );
}

/** Search field that searches after a pause in typing, or immediately on Enter. */
function Words({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const [searchText, setSearchText] = useState(text);
  if (searchText !== text) {
    // Shows the search text of the address when it changes, such as after 'Clear filters'.
    setSearchText(text);
    if (typed.trim() !== text) setTyped(text);
  }
  useEffect(() => {
    if (typed.trim() === text) return undefined;
    const timer = setTimeout(() => onChange(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, text, onChange]);
  return (
    <TextField
      type="search"
      size="small"
      label={texts.search}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChange(typed.trim());
      }}
      sx={{ gridColumn: { xs: '1 / -1', md: 'auto' } }}
      slotProps={{ htmlInput: { maxLength: 100, autoComplete: 'off', spellCheck: false } }}
    />
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

function Choice({ label, any, value, options, onChange }: ChoiceProps) {
  return (
    <TextField
      select
      size="small"
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      <option value="">{any}</option>
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </TextField>
  );
}

interface DayProps {
  label: string;
  value: string;
  problem?: string;
  onChange: (day: string) => void;
}

function Day({ label, value, problem = '', onChange }: DayProps) {
  return (
    <TextField
      type="date"
      size="small"
      label={label}
      value={value}
      error={problem !== ''}
      helperText={problem}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}
