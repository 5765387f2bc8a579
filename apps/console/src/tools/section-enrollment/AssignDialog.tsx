import type { Section } from '@lms-admin/contract/canvas-objects';
import { counted } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Dispatch, useCallback, useMemo, useState } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { CopyText } from '../../components/CopyText.tsx';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { DiscardDialog } from '../../components/Dialogs/DiscardDialog.tsx';
import { WarningDialog } from '../../components/Dialogs/WarningDialog.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import type { LookupStore } from '../../components/PeopleLookup/lookup-store.ts';
import { useLookups } from '../../components/PeopleLookup/useLookups.ts';
import { useRoles } from '../../components/roles.ts';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { MissingField } from '../../components/Wizard/missing-field.ts';
import { useWarned } from '../../components/Wizard/useWarned.ts';
import { unbroken } from '../../components/Wizard/wizard-state.ts';
import {
  assignedWords,
  countAssigned,
  entriesProblem,
  filledEntries,
  type SectionEntry,
  sameEntries,
} from './assignments.ts';
import { SectionList } from './SectionList.tsx';
import { type SectionAction, type SectionState, unsetSections } from './section-state.ts';
import { sectionsQuery } from './sections-query.ts';
import { texts } from './texts.ts';

export interface AssignDialogProps {
  open: boolean;
  draft: NonNullable<SectionState['draft']>;
  /** The saved entries of the course. */
  kept: readonly SectionEntry[];
  lookups: LookupStore;
  dispatch: Dispatch<SectionAction>;
  returnFocus: () => HTMLElement | null;
}

/** The full-screen dialog of a course: people, role and action for each of its sections (SE-03, SE-10, OP-49). */
export function AssignDialog({ open, draft, kept, lookups, dispatch, returnFocus }: AssignDialogProps) {
  const { course, entries } = draft;
  const query = useQuery({ ...sectionsQuery(course.id), enabled: open });
  const roles = useRoles('section');
  const announce = useAnnounce();
  const [search, setSearch] = useState('');
  const [losing, setLosing] = useState(false);
  const sections = query.data ?? null;
  useLookupsWhile(open, entries, lookups);
  const gone = sections === null ? [] : withoutSection(entries, sections);
  const here = gone.length === 0 ? entries : entries.filter((entry) => !gone.includes(entry));
  const count = countAssigned(here);
  const { warn, marked, warning } = useWarned(() => entriesProblem(here), focusable);

  function close() {
    setSearch('');
    dispatch({ type: 'close' });
  }

  function handleCancel() {
    if (sameEntries(kept, entries)) close();
    else setLosing(true);
  }

  function handleSave() {
    if (sections === null) return;
    // The search may hide an incomplete section.
    setSearch('');
    if (warn()) return;
    announce(savedWords(course.name, count));
    dispatch({ type: 'save', sections: new Set(sections.map(({ id }) => id)) });
  }

  return (
    <AppDialog
      open={open}
      onClose={handleCancel}
      fullScreen
      title={texts.dialog.title(course.name)}
      returnFocus={returnFocus}
      actions={
        <DialogButtons
          sum={count.sections === 0 ? texts.dialog.nothing : unbroken(assignedWords(count))}
          onCancel={handleCancel}
          onSave={sections === null ? null : handleSave}
        />
      }
    >
      <MissingField value={marked}>
        <CourseSections
          draft={draft}
          query={query}
          roles={roles}
          gone={gone}
          lookups={lookups}
          search={search}
          onSearch={setSearch}
          dispatch={dispatch}
        />
      </MissingField>
      <WarningDialog {...warning} />
      <DiscardDialog
        open={losing}
        onKeep={() => setLosing(false)}
        onDiscard={() => {
          setLosing(false);
          close();
        }}
      />
    </AppDialog>
  );
}

function savedWords(course: string, count: ReturnType<typeof countAssigned>): string {
  return count.sections === 0
    ? texts.dialog.savedNothing(course)
    : texts.dialog.saved(course, assignedWords(count));
}

interface DialogButtonsProps {
  /** A summary of the assignments. */
  sum: string;
  onCancel: () => void;
  /** Null while there is nothing to save. */
  onSave: (() => void) | null;
}

function DialogButtons({ sum, onCancel, onSave }: DialogButtonsProps) {
  return (
    <>
      <Typography component="output" variant="h3" sx={{ mr: 'auto' }}>
        {sum}
      </Typography>
      <Button variant="outlined" color="inherit" onClick={onCancel}>
        {texts.dialog.cancel}
      </Button>
      <Button
        variant="contained"
        disabled={onSave === null}
        onClick={() => onSave?.()}
        sx={{ minWidth: 104 }}
      >
        {texts.dialog.save}
      </Button>
    </>
  );
}

interface CourseSectionsProps extends Pick<AssignDialogProps, 'draft' | 'lookups' | 'dispatch'> {
  query: UseQueryResult<Section[]>;
  roles: ReturnType<typeof useRoles>;
  /** Entries for sections that have been deleted in the LMS. */
  gone: readonly SectionEntry[];
  search: string;
  onSearch: (search: string) => void;
}

/** The sections of the course, or why they cannot be shown. */
function CourseSections(props: CourseSectionsProps) {
  const { draft, query, roles, gone, lookups, search, onSearch, dispatch } = props;
  const { course, entries } = draft;
  const sections = query.data ?? null;
  const edit = useCallback((entry: SectionEntry) => dispatch({ type: 'edit', entry }), [dispatch]);
  const fill = useFill(entries, sections, dispatch);
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)', pb: 1 }}>
      <Typography variant="body2" color="textSecondary">
        {texts.dialog.courseId} <CopyText text={course.sis_course_id} label={texts.dialog.courseId} />
      </Typography>
      {roles.error !== null && (
        <ErrorState error={roles.error} title={texts.dialog.rolesFailed} onRetry={roles.retry} />
      )}
      {!roles.loading && roles.error === null && roles.options.length === 0 && (
        <Notice tone="warning" title={texts.dialog.noRoles} />
      )}
      {gone.length > 0 && (
        <Notice tone="warning" title={texts.dialog.gone(gone.map(({ name }) => name).join(', '))} />
      )}
      {query.error !== null && !query.isFetching && sections === null ? (
        <ErrorState error={query.error} title={texts.dialog.failed} onRetry={() => void query.refetch()} />
      ) : sections === null ? (
        <Skeletons lines={6} label={texts.dialog.loading} />
      ) : sections.length === 0 ? (
        <EmptyState title={texts.dialog.empty}>{texts.dialog.emptyNext}</EmptyState>
      ) : (
        <SectionList
          sections={sections}
          sisCourseId={course.sis_course_id}
          entries={entries}
          roles={roles.options}
          lookups={lookups}
          query={search}
          onQuery={onSearch}
          onEdit={edit}
          onFill={fill}
        />
      )}
    </Box>
  );
}

/** Applies the role and action of one section to those without any, and announces how many. */
function useFill(
  entries: readonly SectionEntry[],
  sections: readonly Section[] | null,
  dispatch: Dispatch<SectionAction>,
): (entry: SectionEntry) => void {
  const announce = useAnnounce();
  const unset = sections === null ? 0 : unsetSections(entries, sections).length;
  return useCallback(
    ({ role, status }: SectionEntry) => {
      if (role !== null && status !== null && sections !== null)
        dispatch({ type: 'fill', sections, role, status });
      announce(texts.section.filled(counted(unset, 'section', 'sections')));
    },
    [dispatch, sections, announce, unset],
  );
}

/** Looks up the people of the entries; a closed dialog looks up no one. */
function useLookupsWhile(open: boolean, entries: readonly SectionEntry[], lookups: LookupStore): void {
  const wanted = useMemo(
    () => (open ? { sis_id: entries.flatMap(({ people }) => people.chips) } : null),
    [open, entries],
  );
  useLookups(lookups, wanted);
}

/** Finds the entries for sections that have been deleted in the LMS. */
function withoutSection(
  entries: readonly SectionEntry[],
  sections: readonly { id: number }[],
): SectionEntry[] {
  const ids = new Set(sections.map(({ id }) => id));
  return entries.filter((entry) => !ids.has(entry.section) && filledEntries([entry]).length > 0);
}

/** Finds the field with this ID, or the first field if it is a group. */
function focusable(id: string): HTMLElement | null {
  const element = document.getElementById(id);
  return element?.querySelector('input') ?? element;
}
