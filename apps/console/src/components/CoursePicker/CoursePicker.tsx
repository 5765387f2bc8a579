import { messages } from '@lms-admin/contract/messages';
import { MAX_SELECTED } from '@lms-admin/domain/constants';
import { parentName } from '@lms-admin/domain/courses';
import { termsOfProgramme } from '@lms-admin/domain/terms';
import Box from '@mui/material/Box';
import { type ComponentType, lazy, Suspense, useEffect, useMemo } from 'react';
import { useSettings } from '../../api/queries.ts';
import { useAnnounce } from '../Announcer.tsx';
import type { Column } from '../DataTable/types.ts';
import { EmptyState } from '../States/EmptyState.tsx';
import { ErrorState } from '../States/ErrorState.tsx';
import { CourseTable } from './CourseTable.tsx';
import { type CoursePages, type CourseRow, courseRows, coursesRead } from './course-pages.ts';
import { ManyField, OneField } from './LateFields.tsx';
import { type CoursesLoad, useCourses, useProgrammes, useSubAccounts, useTerms } from './lists.ts';
import { PICKER_FIELDS, type PickerAction, type PickerState } from './picker-state.ts';
import { texts } from './texts.ts';

/** What a programme directly below the root has as its parent (PICK-09). */
const NO_PARENT = parentName({ parent_account_id: null }, new Map());

const LastChoice = lazy(() => import('./LastChoice.tsx').then((module) => ({ default: module.LastChoice })));

/** The three choices on one line where there is room, the terms with most of it: there may be ten. */
const FIELDS = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr)) minmax(0, 1.5fr)' },
  // Empty hints keep the fields in line; below each other there is no line to keep.
  '& .MuiFormHelperText-root:has(.notranslate)': { display: { xs: 'none', md: 'block' } },
} as const;

export interface CoursePickerProps {
  state: PickerState;
  dispatch: (action: PickerAction) => void;
  /** A further column of the courses, such as a button of the tool's. Keep it the same between renders. */
  extra?: Column<CourseRow>;
  /** Whether one course is all that can be selected. */
  single?: boolean;
  /** What is said below the courses about those that have been read. */
  Note?: ComponentType<CoursesNoteProps>;
  /** Names of two fields where the documents give a tool its own, also while they cannot be used. */
  labels?: { subAccounts: string; noSubAccounts: string; noTerms: string };
}

export interface CoursesNoteProps {
  accounts: readonly CoursePages[];
  terms: readonly { id: number }[];
}

/**
 * The step 'Programme and Term': one programme, then its sub-accounts, then terms, then courses (area PICK). The courses
 * of the chosen sub-accounts load at once and appear page by page; leaving the step cancels what is still on its way.
 */
export function CoursePicker({ state, dispatch, extra, single = false, Note, labels }: CoursePickerProps) {
  const settings = useSettings();
  const most = settings?.max_selected ?? MAX_SELECTED;
  const programmes = useProgrammes();
  const own = useMemo(() => new Set(settings?.auto_selected_programmes ?? []), [settings]);
  const isOwn = state.programme !== null && own.has(state.programme.id);
  const below = useSubAccounts(isOwn ? null : state.programme);
  const terms = useTerms();
  const courses = useCourses(state.subAccounts);
  const rows = useMemo(() => courseRows(courses.accounts, state.terms), [courses.accounts, state.terms]);
  useEndOfLoad(courses, rows.length, state.terms.length > 0);

  const { complete } = courses;
  useEffect(() => {
    if (complete) dispatch({ type: 'listed', ids: idsOf(courses.accounts) });
  }, [complete, courses.accounts, dispatch]);

  const offered = useMemo(
    () => termsOfProgramme(terms.options, state.programme?.name ?? ''),
    [terms.options, state.programme],
  );
  // A programme without accounts below it would be a dead end: it stands for itself (PICK-21).
  const alone = !isOwn && below.known && below.options.length === 0;
  const accountOptions = isOwn || alone ? (state.programme ? [state.programme] : []) : below.options;
  // One account is no choice.
  const only = (isOwn || below.known) && accountOptions.length === 1 ? accountOptions[0] : undefined;
  const toTake = state.subAccounts.length === 0 ? only : undefined;
  useEffect(() => {
    if (toTake) dispatch({ type: 'sub-accounts', subAccounts: [toTake], most });
  }, [toTake, most, dispatch]);
  const selected = useMemo(() => new Set(state.courses.map((course) => course.id)), [state.courses]);
  const read = coursesRead(courses.accounts);
  const hasTerms = state.terms.length > 0;

  /** What broke one list has mostly broken the others: one press asks for all of them again. */
  function retryBroken() {
    for (const list of [programmes, below, terms]) if (list.error !== null) list.retry();
  }

  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Box sx={FIELDS}>
        <OneField
          id={PICKER_FIELDS.programme}
          label={texts.programme}
          usualParent={NO_PARENT}
          options={programmes.options}
          value={state.programme}
          onChange={(programme) =>
            dispatch({
              type: 'programme',
              programme,
              ownSubAccount: programme !== null && own.has(programme.id),
            })
          }
          loading={programmes.loading}
          disabled={settings === null}
          hint={
            !programmes.loading && programmes.error === null && programmes.options.length === 0
              ? texts.noProgrammes
              : ' '
          }
        />
        <ManyField
          id={PICKER_FIELDS.subAccounts}
          label={
            (labels && (state.programme ? labels.subAccounts : labels.noSubAccounts)) ?? texts.subAccounts
          }
          usualParent={state.programme?.name ?? NO_PARENT}
          options={accountOptions}
          value={state.subAccounts}
          most={most}
          onChange={(subAccounts) => dispatch({ type: 'sub-accounts', subAccounts, most })}
          loading={below.loading}
          disabled={state.programme === null}
          readOnly={only !== undefined && state.subAccounts.every(({ id }) => id === only.id)}
          hint={
            state.programme === null
              ? texts.programmeFirst
              : alone
                ? texts.noSubAccounts
                : only
                  ? texts.ownSubAccount
                  : ' '
          }
        />
        <ManyField
          id={PICKER_FIELDS.terms}
          label={(labels && !state.programme && labels.noTerms) || texts.terms}
          options={offered}
          value={state.terms}
          most={most}
          onChange={(chosen) => dispatch({ type: 'terms', terms: chosen, most })}
          loading={terms.loading}
          disabled={state.subAccounts.length === 0}
          hint={
            state.programme === null
              ? texts.programmeFirst
              : state.subAccounts.length === 0
                ? texts.subAccountsFirst
                : !terms.loading && terms.error === null && offered.length === 0
                  ? texts.noTerms
                  : ' '
          }
        />
      </Box>
      <Suspense>
        <LastChoice
          state={state}
          programmes={programmes.options}
          terms={terms.options}
          own={own}
          onTake={(choice) => {
            // The button goes away with the press: the keyboard goes on to the courses.
            document.getElementById(PICKER_FIELDS.courses)?.focus({ preventScroll: true });
            dispatch({ type: 'recall', choice, most });
          }}
        />
      </Suspense>
      {programmes.error !== null && (
        <ErrorState error={programmes.error} title={texts.failed.programmes} onRetry={retryBroken} />
      )}
      {below.error !== null && (
        <ErrorState error={below.error} title={texts.failed.subAccounts} onRetry={retryBroken} />
      )}
      {terms.error !== null && (
        <ErrorState error={terms.error} title={texts.failed.terms} onRetry={retryBroken} />
      )}
      <BrokenLists load={courses} accounts={state.subAccounts} />
      <CourseTable
        rows={rows}
        selected={selected}
        onSelect={(ids) => dispatch({ type: 'courses', courses: rows.filter((row) => ids.has(row.id)) })}
        loading={hasTerms && courses.loading && read === 0}
        progress={courses.loading ? { done: read, total: null, label: texts.read } : null}
        empty={<Empty none={hasTerms && complete} />}
        single={single}
        {...(extra ? { extra } : {})}
      />
      {Note && <Note accounts={courses.accounts} terms={state.terms} />}
    </Box>
  );
}

/** The prescribed text; below it why, where the chosen terms have been read and hold nothing. */
function Empty({ none }: { none: boolean }) {
  return <EmptyState title={messages.picker.empty} {...(none && { children: texts.noCourses })} />;
}

/** The accounts whose courses did not come to their end: one place for all, one press for all. */
function BrokenLists({ load, accounts }: { load: CoursesLoad; accounts: readonly { name: string }[] }) {
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
      {texts.kept(read)}
    </ErrorState>
  );
}

/** Says that all courses have come, and how many other terms have: the rows appear without a change of focus. */
function useEndOfLoad({ complete }: CoursesLoad, listed: number, asked: boolean): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (complete && asked) announce(texts.loaded(listed));
  }, [announce, complete, asked, listed]);
}

function idsOf(accounts: readonly CoursePages[]): Set<number> {
  const ids = new Set<number>();
  for (const { pages } of accounts) {
    for (const page of pages.values()) for (const course of page) ids.add(course.id);
  }
  return ids;
}
