import type { CourseDetails } from '@lms-admin/contract/canvas-objects';
import { type ExportFormat, MAX_WORKBOOK_ROWS } from '@lms-admin/domain/student-export';
import { useQuery } from '@tanstack/react-query';
import type { Dispatch } from 'react';
import { invoke } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import {
  type CourseSearch,
  useCourseSearch,
  useFoundText,
} from '../../components/CourseField/course-search.ts';
import type { StepProps } from '../../components/Wizard/wizard-definition.ts';
import type { WizardAction } from '../../components/Wizard/wizard-reducer.ts';
import type { ExportAction, ExportState } from './export-state.ts';

export interface ExportWork {
  /** The lookup of the typed text. */
  search: CourseSearch;
  /** The course of the review; null until it is loaded, or if it does not exist. */
  details: CourseDetails | null;
  /** Whether the LMS does not have the course, or the administrator does not have access to it. */
  absent: boolean;
  /** Why the course could not be read. */
  error: unknown;
  retry: () => void;
  /** The kind of file that will be created: a large course cannot be exported as an Excel file. */
  format: ExportFormat;
}

/** Props of a step of Course Student Export. */
export type ExportStep = StepProps<ExportState, ExportAction, ExportWork>;

/** Reads the named course again for each review (EXP-06, LMS-19). */
export function useExportWork(
  { course, format, wizard }: ExportState,
  dispatch: Dispatch<ExportAction | WizardAction>,
  reviewing: boolean,
): ExportWork {
  const search = useCourseSearch(course, wizard.step > 0);
  const { number } = search;
  useFoundText(search, course, reviewing, (text) => dispatch({ type: 'course', text }));
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['course-details', number],
    queryFn: ({ signal }) =>
      invoke(
        'course-details',
        { course: number ?? 0 },
        [
          ['include[]', 'total_students'],
          ['include[]', 'sections'],
        ],
        { signal },
      ),
    enabled: reviewing && number !== null,
    // The administrator checks the number of students, so it has to be current.
    staleTime: 0,
    gcTime: 0,
  });
  const absent = !isFetching && error instanceof ApiError && error.code === 'not-found';
  const details = isFetching ? null : (data?.data ?? null);
  return {
    search,
    details,
    absent,
    error: isFetching || absent ? null : error,
    retry: () => void refetch(),
    format: (details?.total_students ?? 0) > MAX_WORKBOOK_ROWS ? 'csv' : format,
  };
}
