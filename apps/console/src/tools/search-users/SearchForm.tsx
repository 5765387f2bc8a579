import { searchUsersMessages } from '@lms-admin/contract/messages/search-users';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import { type FormEvent, useRef, useState } from 'react';
import { searchProblem } from './search-problem.ts';
import { texts } from './texts.ts';

const FIELD = 'search-users-field';
const HELP = 'search-users-help';

interface SearchFormProps {
  /** The search text in the address; empty for none. */
  term: string;
  busy: boolean;
  onSearch: (term: string) => void;
  /** Called when the typed text cannot be searched for. */
  onRefused: () => void;
}

/** The one search box (USR-01). Searches on Enter or with the button; says why if a text cannot be searched for. */
export function SearchForm({ term, busy, onSearch, onRefused }: SearchFormProps) {
  const [typed, setTyped] = useState(term);
  const [refused, setRefused] = useState(term === '' ? null : searchProblem(term));
  const field = useRef<HTMLInputElement>(null);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const next = typed.trim();
    const problem = searchProblem(next);
    setRefused(problem);
    if (problem === null) onSearch(next);
    else {
      onRefused();
      field.current?.focus();
    }
  }

  return (
    <Box
      component="form"
      role="search"
      noValidate
      onSubmit={handleSubmit}
      sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}
    >
      <FormControl fullWidth error={refused !== null} sx={{ maxWidth: 480 }}>
        <InputLabel htmlFor={FIELD}>{searchUsersMessages.search}</InputLabel>
        <OutlinedInput
          id={FIELD}
          type="search"
          label={searchUsersMessages.search}
          value={typed}
          inputRef={field}
          onChange={(event) => {
            setTyped(event.target.value);
            setRefused(null);
          }}
          slotProps={{
            input: { 'aria-describedby': HELP, maxLength: 200, autoComplete: 'off', spellCheck: false },
          }}
        />
        <FormHelperText id={HELP} role={refused === null ? undefined : 'alert'}>
          {refused ?? texts.field}
        </FormHelperText>
      </FormControl>
      <Button type="submit" variant="contained" disabled={busy} sx={{ height: 56, px: 3 }}>
        {texts.button}
      </Button>
    </Box>
  );
}
