import { messages } from '@lms-admin/contract/messages';
import Box from '@mui/material/Box';
import { type ComponentType, type Dispatch, lazy, Suspense, useEffect, useMemo } from 'react';
import { useProfile } from '../../api/session.ts';
import { useAnnounce } from '../Announcer.tsx';
import type { Column } from '../DataTable/types.ts';
import { timeOf } from '../moments.ts';
import { EmptyState } from '../States/EmptyState.tsx';
import { ErrorState } from '../States/ErrorState.tsx';
import { CourseTable } from './CourseTable.tsx';
import { type CoursePages, type CourseRow, courseRows, coursesRead } from './course-pages.ts';
import { type CoursesLoad, useCourses } from './lists.ts';
import { BrokenOffers, PickerFields, type PickerLabels } from './PickerFields.tsx';
import { PICKER_FIELDS, type PickerAction, type PickerState } from './picker-state.ts';
import { texts } from './texts.ts';
import { useCopies } from './useCopies.ts';
import { useOffers } from './useOffers.ts';

const LastChoice = lazy(() => import('./LastChoice.tsx').then((module) => ({ default: module.LastChoice })));

export interface CoursePickerProps {
  state: PickerState;
  dispatch: Dispatch<PickerAction>;
  /** An additional column, such as a button of the tool. Keep its identity between renders. */
  extra?: Column<CourseRow>;
  /** Whether only one course can be selected. */
  single?: boolean;
  /** Note below the courses about the loaded ones. */
  Note?: ComponentType<CoursesNoteProps>;
  labels?: PickerLabels;
}

export interface CoursesNoteProps {
  accounts: readonly CoursePages[];
  terms: readonly { id: number }[];
}

/**
 * The step 'Programme and Term': one programme, then its sub-accounts, then terms, then courses (area PICK). The
 * courses of the chosen sub-accounts load immediately and appear page by page; leaving the step cancels the rest.
 */
export function CoursePicker({ state, dispatch, extra, single = false, Note, labels }: CoursePickerProps) {
  const offers = useOffers(state, dispatch);
  const courses = useCourses(state.subAccounts);
  const { accounts, asOf } = useCopies(courses, state.subAccounts);
  const zone = useProfile().userProfile.time_zone;
  const time = asOf === null ? null : timeOf(asOf, zone);
  const rows = useMemo(() => courseRows(accounts, state.terms), [accounts, state.terms]);
  const hasTerms = state.terms.length > 0;
  useEndOfLoad(courses, rows.length, hasTerms);
  useListed(courses, dispatch);
  const selected = useMemo(() => new Set(state.courses.map((course) => course.id)), [state.courses]);
  const read = coursesRead(courses.accounts);

  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <PickerFields state={state} dispatch={dispatch} offers={offers} labels={labels} />
      <Suspense>
        <LastChoice
          state={state}
          programmes={offers.programmes.options}
          terms={offers.terms.options}
          own={offers.own}
          onTake={(choice) => {
            // The button disappears when pressed: the keyboard focus moves to the courses.
            document.getElementById(PICKER_FIELDS.courses)?.focus({ preventScroll: true });
            dispatch({ type: 'recall', choice, most: offers.most });
          }}
        />
      </Suspense>
      <BrokenOffers offers={offers} />
      <BrokenLists load={courses} accounts={state.subAccounts} copied={time} />
      <CourseTable
        rows={rows}
        selected={selected}
        onSelect={(ids) => dispatch({ type: 'courses', courses: rows.filter((row) => ids.has(row.id)) })}
        loading={hasTerms && courses.loading && read === 0 && rows.length === 0}
        progress={
          courses.loading
            ? { done: read, total: null, label: time === null ? texts.read : texts.readBesideCopy(time) }
            : null
        }
        empty={<Empty none={hasTerms && courses.complete} />}
        single={single}
        {...(extra ? { extra } : {})}
      />
      {Note && <Note accounts={courses.accounts} terms={state.terms} />}
    </Box>
  );
}

/** The prescribed text, and the reason below it if the chosen terms have been read and are empty. */
function Empty({ none }: { none: boolean }) {
  return <EmptyState title={messages.picker.empty} {...(none && { children: texts.noCourses })} />;
}

/** The accounts whose courses could not be read completely: one notice and one button for all. */
function BrokenLists({
  load,
  accounts,
  copied,
}: {
  load: CoursesLoad;
  accounts: readonly { name: string }[];
  /** Time of the copy whose courses are shown as well; null without one. */
  copied: string | null;
}) {
  const [first] = load.failures;
  if (!first) return null;
  const names = load.failures.map(({ index }) => accounts[index]?.name ?? '').join(', ');
  const read = load.failures.reduce((sum, failure) => sum + failure.read, 0);
  return (
    <ErrorState
      error={first.error}
      title={texts.failed.courses(names)}
      onRetry={() => {
        for (const { retry } of load.failures) void retry();
      }}
    >
      {copied === null ? texts.kept(read) : texts.copied(copied)}
    </ErrorState>
  );
}

/** Announces that all courses are loaded, and how many are listed. The focus does not change. */
function useEndOfLoad({ complete }: CoursesLoad, listed: number, requested: boolean): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (complete && requested) announce(texts.loaded(listed));
  }, [announce, complete, requested, listed]);
}

/** Passes the IDs of all existing courses to the state once they are loaded. */
function useListed({ complete, accounts }: CoursesLoad, dispatch: Dispatch<PickerAction>): void {
  useEffect(() => {
    if (complete) dispatch({ type: 'listed', ids: idsOf(accounts) });
  }, [complete, accounts, dispatch]);
}

function idsOf(accounts: readonly CoursePages[]): Set<number> {
  const ids = new Set<number>();
  for (const { pages } of accounts) {
    for (const page of pages.values()) for (const course of page) ids.add(course.id);
  }
  return ids;
}
