import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import { courseNumberOf } from '@lms-admin/domain/course-number';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import { type FormEvent, useState } from 'react';
import { texts } from './texts.ts';

/** Id of the field that names the course. */
export const COURSE_FIELD = 'zoom-creation-course';
const HELP = 'zoom-creation-help';
const words = zoomCreationMessages;

interface LookupFormProps {
  /** The course that the address names. */
  course: number | null;
  busy: boolean;
  /** Whether what was typed last is no course. */
  refused: boolean;
  onRefused: (refused: boolean) => void;
  onFind: (course: number) => void;
}

/** 'Course ID': a number, or the address of a page of the course, looked up on Enter (ZC-02). */
export function LookupForm({ course, busy, refused, onRefused, onFind }: LookupFormProps) {
  const [typed, setTyped] = useState(course === null ? '' : String(course));

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const number = courseNumberOf(typed);
    onRefused(number === null);
    if (number === null) document.getElementById(COURSE_FIELD)?.focus();
    else if (!busy) onFind(number);
  }

  return (
    <Box
      component="form"
      role="search"
      noValidate
      onSubmit={handleSubmit}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'flex-start' }}
    >
      <FormControl error={refused} sx={{ flex: '1 1 260px', maxWidth: 480 }}>
        <InputLabel htmlFor={COURSE_FIELD}>{words.course}</InputLabel>
        <OutlinedInput
          id={COURSE_FIELD}
          label={words.course}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            onRefused(false);
          }}
          slotProps={{
            input: {
              'aria-describedby': HELP,
              inputMode: 'numeric',
              maxLength: 2_000,
              autoComplete: 'off',
              spellCheck: false,
            },
          }}
        />
        <FormHelperText id={HELP} role={refused ? 'alert' : undefined}>
          {refused ? texts.needCourse : words.hint}
        </FormHelperText>
      </FormControl>
      <Button type="submit" variant="contained" aria-disabled={busy} sx={{ height: 56, px: 3 }}>
        {texts.find}
      </Button>
    </Box>
  );
}
