import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useCallback, useMemo, useState } from 'react';
import { CoursePicker } from '../../components/CoursePicker/CoursePicker.tsx';
import type { CourseRow } from '../../components/CoursePicker/course-pages.ts';
import type { PickedCourse, PickerAction } from '../../components/CoursePicker/picker-state.ts';
import type { Column } from '../../components/DataTable/types.ts';
import { AssignDialog } from './AssignDialog.tsx';
import { type Assignment, assignedWords, countAssigned } from './assignments.ts';
import { ChosenCourses, chosenButton, KeptAside } from './ChosenCourses.tsx';
import { assignmentOf, canReselect, keptAside } from './section-state.ts';
import { texts } from './texts.ts';
import type { SectionStep } from './useSectionWork.ts';

/** Step 'Programme and Term', with a button from each course to its sections (SE-02, SE-03). */
export function CoursesStep({ state, dispatch, work }: SectionStep) {
  const { picker, assigned, draft } = state;
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const pick = useCallback((action: PickerAction) => dispatch({ type: 'pick', pick: action }), [dispatch]);
  const assign = useCallback(
    (course: PickedCourse) => {
      setOpener(document.activeElement instanceof HTMLElement ? document.activeElement : null);
      dispatch({ type: 'open', course });
    },
    [dispatch],
  );
  const extra = useMemo(() => assignColumn(assigned, assign), [assigned, assign]);
  // The dialog stays rendered, with its last content, while it fades out.
  const [last, setLast] = useState(draft);
  if (draft !== null && draft !== last) setLast(draft);
  // A keystroke in the dialog must not render the content behind it.
  const courses = useMemo(
    () => <CoursePicker state={picker} dispatch={pick} extra={extra} />,
    [picker, pick, extra],
  );

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {courses}
      <KeptAside
        kept={keptAside(state)}
        canReselect={(one) => canReselect(state, one)}
        onReselect={(courses) => dispatch({ type: 'choose-again', courses })}
        onForget={(course) => dispatch({ type: 'forget', course })}
      />
      {picker.courses.length > 0 && (
        <ChosenCourses courses={picker.courses} assigned={assigned} onAssign={assign} />
      )}
      {last !== null && (
        <AssignDialog
          key={last.course.id}
          open={draft !== null}
          draft={last}
          kept={assignmentOf(state, last.course.id)?.entries ?? []}
          lookups={work.lookups}
          dispatch={dispatch}
          returnFocus={() =>
            opener?.isConnected ? opener : document.getElementById(chosenButton(last.course.id))
          }
        />
      )}
    </Box>
  );
}

/** Creates the button of each course in the table: its action, or its result. */
function assignColumn(
  assigned: readonly Assignment[],
  onAssign: (course: PickedCourse) => void,
): Column<CourseRow> {
  const words = new Map(
    assigned.map(({ course, entries }) => [course.id, assignedWords(countAssigned(entries))]),
  );
  return {
    id: 'assign',
    header: texts.column,
    value: (row) => words.get(row.id) ?? null,
    width: '176px',
    minWidth: 176,
    searchable: false,
    cell: (row, tabIndex) => {
      const label = words.get(row.id) ?? texts.assign;
      return (
        <Button
          size="small"
          tabIndex={tabIndex}
          aria-label={texts.assignTo(label, row.name)}
          onClick={() => onAssign(row)}
          sx={{ ml: -1, minHeight: 30, px: 1 }}
        >
          {label}
        </Button>
      );
    },
  };
}
