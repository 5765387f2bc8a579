import { counted } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import type { PickedCourse } from '../../components/CoursePicker/picker-state.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { focusStep } from '../../components/Wizard/focus-step.ts';
import { type Assignment, assignedWords, countAssigned } from './assignments.ts';
import { texts } from './texts.ts';

interface Row {
  course: PickedCourse;
  assigned: string | null;
}

const rowKey = ({ course }: Row) => course.id;

const Name = styled('span')(({ theme }) => ({
  display: 'grid',
  lineHeight: '17px',
  '& > *': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '& code': {
    fontFamily: 'var(--lms-mono)',
    fontSize: '0.75rem',
    color: theme.vars.palette.text.secondary,
  },
}));

/** Returns the ID of a course's button in the list, for the focus after its dialog. */
export const chosenButton = (course: number) => `${texts.chosenId}-${course}`;

export interface ChosenCoursesProps {
  courses: readonly PickedCourse[];
  assigned: readonly Assignment[];
  /** Keep the function's identity between renders. */
  onAssign: (course: PickedCourse) => void;
}

/** Every selected course with its assignments, including courses on other pages of the table above. */
export function ChosenCourses({ courses, assigned, onAssign }: ChosenCoursesProps) {
  const rows = useMemo(() => rowsOf(courses, assigned), [courses, assigned]);
  const columns = useMemo(() => columnsOf(onAssign), [onAssign]);
  return (
    <Box id={texts.chosenId} tabIndex={-1} sx={{ '&:focus': { outline: 'none' } }}>
      <Typography variant="h3" component="p" sx={{ mb: 1 }}>
        {texts.chosen}
      </Typography>
      <DataTable<Row, number>
        label={texts.chosen}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        search={rows.length > 8}
        height={300}
        empty={texts.chosenEmpty}
      />
    </Box>
  );
}

function rowsOf(courses: readonly PickedCourse[], assigned: readonly Assignment[]): Row[] {
  const words = new Map(
    assigned.map(({ course, entries }) => [course.id, assignedWords(countAssigned(entries))]),
  );
  return courses.map((course) => ({ course, assigned: words.get(course.id) ?? null }));
}

function columnsOf(onAssign: ChosenCoursesProps['onAssign']): readonly Column<Row>[] {
  return [
    {
      id: 'course',
      header: texts.chosenCourse,
      value: ({ course }) => `${course.name} ${course.sis_course_id}`,
      minWidth: 130,
      cell: ({ course }) => (
        <Name>
          <span>{course.name}</span>
          <code>{course.sis_course_id}</code>
        </Name>
      ),
    },
    {
      id: 'assigned',
      header: texts.chosenState,
      value: ({ assigned }) => assigned ?? texts.nothingYet,
      wrap: true,
      width: '26%',
      minWidth: 92,
      cell: ({ assigned }) =>
        assigned === null ? (
          <Typography component="span" variant="inherit" color="textSecondary">
            {texts.nothingYet}
          </Typography>
        ) : (
          assigned
        ),
    },
    {
      id: 'assign',
      header: texts.column,
      value: () => null,
      width: '132px',
      minWidth: 132,
      sortable: false,
      searchable: false,
      cell: ({ course, assigned }) => {
        const label = assigned === null ? texts.assign : texts.edit;
        return (
          <Button
            id={chosenButton(course.id)}
            size="small"
            aria-label={texts.assignTo(label, course.name)}
            onClick={() => onAssign(course)}
            sx={{ ml: -1, minWidth: 0, minHeight: 30, px: 1 }}
          >
            {label}
          </Button>
        );
      },
    },
  ];
}

export interface KeptAsideProps {
  kept: readonly Assignment[];
  canReselect: (assignment: Assignment) => boolean;
  onReselect: (courses: readonly number[]) => void;
  onForget: (course: number) => void;
}

/** Assignments in courses that have been deselected: a notice, with a button to select them again. */
export function KeptAside({ kept, canReselect, onReselect, onForget }: KeptAsideProps) {
  if (kept.length === 0) return null;
  const possible = kept.filter(canReselect).map(({ course }) => course.id);

  function reselect(courses: readonly number[]) {
    // The button disappears when pressed.
    focusStep();
    onReselect(courses);
  }

  return (
    <Notice
      tone="warning"
      title={texts.asideTitle(counted(kept.length, 'course', 'courses'))}
      action={
        possible.length > 1 && (
          <Button size="small" variant="outlined" color="inherit" onClick={() => reselect(possible)}>
            {texts.reselectAll(counted(possible.length, 'course', 'courses'))}
          </Button>
        )
      }
    >
      <Typography>{texts.asideText}</Typography>
      <Box component="ul" sx={{ display: 'grid', gap: 0.5, m: 0, p: 0, listStyle: 'none', width: '100%' }}>
        {kept.map((one) => (
          <KeptCourse
            key={one.course.id}
            one={one}
            onReselect={canReselect(one) ? () => reselect([one.course.id]) : null}
            onForget={onForget}
          />
        ))}
      </Box>
    </Notice>
  );
}

interface KeptCourseProps extends Pick<KeptAsideProps, 'onForget'> {
  one: Assignment;
  /** Null if the course cannot be selected again. */
  onReselect: (() => void) | null;
}

function KeptCourse({ one, onReselect, onForget }: KeptCourseProps) {
  const announce = useAnnounce();
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
      <span>{texts.aside(one.course.name, assignedWords(countAssigned(one.entries)))}</span>
      {onReselect !== null && (
        <Button size="small" aria-label={texts.reselectOf(one.course.name)} onClick={onReselect}>
          {texts.reselect}
        </Button>
      )}
      <Button
        size="small"
        color="inherit"
        aria-label={texts.forgetOf(one.course.name)}
        onClick={() => {
          focusStep();
          announce(texts.forgotten(one.course.name));
          onForget(one.course.id);
        }}
      >
        {texts.forget}
      </Button>
    </Box>
  );
}
