import { groupEnrollmentMessages as words } from '@lms-admin/contract/messages/group-enrollment';
import { useCallback, useEffect, useState } from 'react';
import { CoursePicker, type CoursesNoteProps } from '../../components/CoursePicker/CoursePicker.tsx';
import { PICKER_FIELDS, type PickerAction } from '../../components/CoursePicker/picker-state.ts';
import { later } from '../../components/later.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import type { WorkAction } from './course-work.ts';
import { openCourse, workOf } from './group-state.ts';
import { texts } from './texts.ts';
import type { GroupStep } from './useGroupWork.ts';

const CourseDialog = later(() => import('./CourseDialog.tsx').then(({ CourseDialog: dialog }) => dialog));

/** Step 'Programme and Term': choosing a course opens its dialog until it is closed (GRP-03 to GRP-07, OP-75). */
export function CoursesStep({ state, dispatch, work }: GroupStep) {
  const { picker } = state;
  const [opener, setOpener] = useState<Element | null>(null);
  useEffect(() => CourseDialog.fetch?.(), []);
  const pick = useCallback(
    (action: PickerAction) => {
      if (action.type === 'courses') setOpener(document.activeElement);
      dispatch({ type: 'pick', pick: action });
    },
    [dispatch],
  );
  const course = openCourse(state);
  // The dialog stays rendered, with its last content, while it fades out.
  const [last, setLast] = useState(course);
  if (course !== null && course.id !== last?.id) setLast(course);
  const shown = course ?? last;
  const id = shown?.id ?? 0;
  const act = useCallback(
    (action: WorkAction) => dispatch({ type: 'work', course: id, action }),
    [dispatch, id],
  );

  return (
    <>
      <CoursePicker state={picker} dispatch={pick} single Note={WithoutSisId} labels={words.picker} />
      {shown !== null && (
        <CourseDialog
          key={shown.id}
          open={course !== null}
          course={shown}
          work={workOf(state, shown.id)}
          dispatch={act}
          file={state.files[shown.id] ?? null}
          fileText={work.textOf(shown.id)}
          pasted={state.pasted[shown.id] ?? ''}
          onFile={(file, text) => {
            work.hold(shown.id, text);
            dispatch({ type: 'file', course: shown.id, file });
          }}
          onPasted={(text) => dispatch({ type: 'pasted', course: shown.id, text })}
          onClose={() => dispatch({ type: 'close' })}
          returnFocus={() =>
            opener instanceof HTMLElement && opener.isConnected
              ? opener
              : document.getElementById(PICKER_FIELDS.courses)
          }
        />
      )}
    </>
  );
}

/** Why a course that is in the LMS may not be in the list (PICK-08). */
function WithoutSisId({ accounts, terms }: CoursesNoteProps) {
  const chosen = new Set(terms.map(({ id }) => id));
  const ids = new Set<number>();
  for (const { pages } of accounts) {
    for (const courses of pages.values()) {
      for (const one of courses) {
        if (one.sis_course_id === null && chosen.has(one.enrollment_term_id)) ids.add(one.id);
      }
    }
  }
  return ids.size === 0 ? null : <Notice tone="info" title={texts.withoutSisId(ids.size)} />;
}
