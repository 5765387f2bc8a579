import type { SisFile } from '@lms-admin/contract/sis-files';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { CheckIcon } from '../../components/Icons.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { deletionSentences, whyAsked } from './review-words.ts';
import { FIELDS, typedNumber } from './sis-state.ts';
import { texts } from './texts.ts';

type Course = SisFile['deletions']['courses'][number];

const { review } = texts;
/** Courses up to this many are told in sentences; more are a table. */
const IN_WORDS = 5;
/** How many courses the server names at most. */
const MOST_NAMED = 50;

const columns: readonly Column<Course>[] = [
  {
    id: 'name',
    header: review.courseColumns.name,
    value: (course) => course.name ?? (course.missing ? review.notInLms : course.sis_course_id),
    wrap: true,
    minWidth: 200,
  },
  {
    id: 'id',
    header: review.courseColumns.id,
    value: (course) => course.sis_course_id,
    kind: 'id',
    width: '220px',
    minWidth: 220,
  },
  {
    id: 'deleted',
    header: review.courseColumns.deleted,
    value: (course) => course.deleted,
    kind: 'number',
    width: '104px',
    minWidth: 104,
  },
  {
    id: 'active',
    header: review.courseColumns.active,
    value: (course) => course.active,
    kind: 'number',
    width: '132px',
  },
];
const rowKey = (course: Course) => course.sis_course_id;

export interface DeletionsProps {
  file: SisFile;
  typed: string;
  onTyped: (text: string) => void;
}

/** What the file will delete, in plain words, and where it is much, the number to type before it can be sent. */
export function Deletions({ file, typed, onTyped }: DeletionsProps) {
  const { rows, courses, confirm } = file.deletions;
  return (
    <Notice tone="warning" title={review.deletesTitle(rows)}>
      {deletionSentences(file).map((sentence) => (
        <Typography key={sentence}>{sentence}</Typography>
      ))}
      {courses.length > 0 && courses.length <= IN_WORDS && (
        <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
          {courses.map((course) => (
            <li key={course.sis_course_id}>
              {course.missing
                ? review.noCourse(course.sis_course_id, course.deleted)
                : review.course(course.name ?? course.sis_course_id, course.deleted, course.active)}
            </li>
          ))}
        </Box>
      )}
      {courses.length > IN_WORDS && (
        <Box sx={{ width: '100%', minWidth: 0 }}>
          <DataTable<Course, string>
            label={review.courses}
            rows={courses}
            columns={columns}
            rowKey={rowKey}
            height={260}
            empty=""
          />
        </Box>
      )}
      {courses.length >= MOST_NAMED && <Typography variant="body2">{review.moreCourses}</Typography>}
      {confirm !== null && (
        <Confirm count={confirm} why={whyAsked(file.deletions)} typed={typed} onTyped={onTyped} />
      )}
    </Notice>
  );
}

function Confirm(props: {
  count: number;
  why: string | null;
  typed: string;
  onTyped: (text: string) => void;
}) {
  const { count, why, typed, onTyped } = props;
  const right = typedNumber(typed) === count;
  const hint = `${FIELDS.confirm}-hint`;
  return (
    <Box sx={{ display: 'grid', gap: 1, mt: 1 }}>
      <Typography id={hint}>
        {why} {review.confirm(count)}
      </Typography>
      <FormControl variant="outlined" sx={{ width: 260, maxWidth: '100%' }}>
        <InputLabel htmlFor={FIELDS.confirm}>{review.confirmLabel}</InputLabel>
        <OutlinedInput
          id={FIELDS.confirm}
          label={review.confirmLabel}
          value={typed}
          autoComplete="off"
          inputProps={{ inputMode: 'numeric', 'aria-describedby': hint }}
          onChange={(event) => onTyped(event.target.value)}
        />
        <FormHelperText component="output" sx={{ mx: 0, display: 'flex', gap: 0.5, minHeight: 20 }}>
          {right && (
            <>
              <CheckIcon size={16} />
              {review.confirmed}
            </>
          )}
        </FormHelperText>
      </FormControl>
    </Box>
  );
}
