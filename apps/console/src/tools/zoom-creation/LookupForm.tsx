import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CourseField } from '../../components/CourseField/CourseField.tsx';
import { useCourseSearch, whyNotFound } from '../../components/CourseField/course-search.ts';
import { texts } from './texts.ts';

/** ID of the field that names the course. */
export const COURSE_FIELD = 'zoom-creation-course';
const words = zoomCreationMessages;

interface LookupFormProps {
  /** The course in the address. */
  course: number | null;
  busy: boolean;
  /** Whether the text entered last is not a course. */
  refused: boolean;
  onRefused: (refused: boolean) => void;
  onFind: (course: number) => void;
}

/** 'Course ID': looked up on Enter (ZC-02). */
export function LookupForm({ course, busy, refused, onRefused, onFind }: LookupFormProps) {
  const [typed, setTyped] = useState(course === null ? '' : String(course));
  const search = useCourseSearch(typed);
  const { number, looking, choose, none } = search;
  // If the course has not been found yet, Enter takes effect once it has.
  const entered = useRef(false);
  function find() {
    entered.current = false;
    onRefused((number === null || choose !== null) && whyNotFound(search) === null);
    if (number !== null && choose === null) onFind(number);
    else document.getElementById(COURSE_FIELD)?.focus();
  }
  const latest = useRef(find);
  useEffect(() => {
    latest.current = find;
  });
  useEffect(() => {
    if (entered.current && !looking) latest.current();
  }, [looking]);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (looking) entered.current = true;
    else find();
  }

  return (
    <Box
      component="form"
      role="search"
      noValidate
      onSubmit={handleSubmit}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'flex-start' }}
    >
      <Box sx={{ flex: '1 1 260px', maxWidth: 560 }}>
        <CourseField
          id={COURSE_FIELD}
          label={words.course}
          hint={words.hint}
          value={typed}
          onChange={(text) => {
            setTyped(text);
            entered.current = false;
            onRefused(false);
          }}
          search={search}
          refused={refused ? (choose ?? none ?? texts.needCourse) : null}
        />
      </Box>
      <Button type="submit" variant="contained" aria-disabled={busy} sx={{ height: 56, px: 3 }}>
        {texts.find}
      </Button>
    </Box>
  );
}
