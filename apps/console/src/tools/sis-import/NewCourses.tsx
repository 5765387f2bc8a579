import type { SisEffect } from '@lms-admin/contract/sis-effects';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { Notice } from '../../components/Notice/Notice.tsx';
import { texts } from './texts.ts';

const { newCourses: words } = texts.review;

export interface NewCoursesProps {
  courses: SisEffect['new_courses'];
  /** SIS IDs of the courses that can be created. */
  allowed: readonly string[];
  onAllow: (sisId: string, on: boolean) => void;
}

/** Courses that the LMS would create for cross-listings: usually a typing error, so each has to be allowed by name. */
export function NewCourses({ courses, allowed, onAllow }: NewCoursesProps) {
  if (courses.length === 0) return null;
  return (
    <Notice tone="stop" title={words.title(courses.length)}>
      <Typography>{words.text}</Typography>
      <Box sx={{ display: 'grid', justifyItems: 'start', overflowWrap: 'anywhere' }}>
        {courses.map(({ sis_course_id: id, name, sections, enrolments }) => (
          <FormControlLabel
            key={id}
            control={
              <Checkbox
                checked={allowed.includes(id)}
                onChange={(event) => onAllow(id, event.target.checked)}
              />
            }
            label={words.allow(id, name, sections, enrolments)}
          />
        ))}
      </Box>
    </Notice>
  );
}
