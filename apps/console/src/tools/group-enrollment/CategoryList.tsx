import { categorySisId } from '@lms-admin/domain/groups';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useCallback, useMemo, useState } from 'react';
import { invoke } from '../../api/client.ts';
import { useWrite } from '../../api/useWrite.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { RetryIcon } from '../../components/Icons.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import type { Categories } from './categories-query.ts';
import { type CategoryRow, categoryRows } from './category-rows.ts';
import { focusOn, type PanelProps, PLACES } from './dialog-part.ts';
import { texts } from './texts.ts';

const rowKey = (row: CategoryRow) => row.key;
const childRows = (row: CategoryRow) => row.groups;
const rowLabel = (row: CategoryRow) => row.name;

/** The categories of the course, each with its groups and their number of members (GRP-08, OP-108). */
export function CategoryList({ course, categories }: PanelProps) {
  const rows = useMemo(
    () => (categories.list === null ? [] : categoryRows(categories.list, course.sis_course_id)),
    [categories.list, course.sis_course_id],
  );
  const { failure, isPending, giveId } = useGiveId(course.sis_course_id, categories.refresh);
  const columns = useMemo(() => columnsOf(isPending, giveId), [isPending, giveId]);
  const unread = (categories.list ?? []).filter((one) => one.failed).map(({ category }) => category.name);

  if (categories.error !== null && categories.list === null)
    return (
      <ErrorState
        error={categories.error}
        title={texts.list.failed}
        onRetry={() => void categories.refresh()}
      />
    );
  return (
    <Box
      id={PLACES.categories}
      tabIndex={-1}
      sx={{ display: 'flex', flexDirection: 'column', gap: 2, outline: 'none' }}
    >
      <DataTable<CategoryRow, string>
        label={texts.list.label}
        rows={rows}
        columns={columns}
        rowKey={rowKey}
        rowLabel={rowLabel}
        childRows={childRows}
        search={rows.length > 8}
        loading={categories.list === null}
        empty={<EmptyState title={texts.list.empty}>{texts.list.emptyNext}</EmptyState>}
      />
      {/* Below the list: above it, late content would move the rows under the pointer. */}
      {unread.length > 0 && (
        <Notice
          tone="warning"
          title={texts.list.unread(unread.join(', '))}
          action={<RefreshButton categories={categories} />}
        />
      )}
      {failure !== null && (
        <Box sx={{ position: 'sticky', bottom: 8, zIndex: 1 }}>
          <ErrorState error={failure.error} title={texts.list.giveFailed(failure.name)} />
        </Box>
      )}
    </Box>
  );
}

/** Adds the missing SIS ID to a category. */
function useGiveId(sisCourseId: string, refresh: Categories['refresh']) {
  const announce = useAnnounce();
  const [failed, setFailed] = useState<string | null>(null);
  const give = useWrite({
    mutationFn: async ({ id, name }: Pick<CategoryRow, 'id' | 'name'>) => {
      const payload = { sis_group_category_id: categorySisId(sisCourseId, name) };
      return (await invoke('group-category-sis-id', { category: id }, [], { payload })).data;
    },
    onSuccess({ name, sis_group_category_id }) {
      announce(texts.list.given(name, sis_group_category_id ?? ''));
    },
    onError: (_, { name }) => setFailed(name),
    // Refreshed even if the answer was lost: the list then shows whether the category has an SIS ID.
    onSettled: () => refresh(),
  });
  const { write, isPending } = give;
  const giveId = useCallback(
    (row: CategoryRow) => {
      // The button disappears when the SIS ID has been set.
      focusOn('categories');
      write({ id: row.id, name: row.name });
    },
    [write],
  );
  const failure = give.error !== null && failed !== null ? { error: give.error, name: failed } : null;
  return { failure, isPending, giveId };
}

/** Reads categories, groups and head counts again (GRP-14). @param onRefresh updates everything else */
export function RefreshButton(props: { categories: Categories; onRefresh?: () => void }) {
  const { categories, onRefresh } = props;
  const announce = useAnnounce();
  return (
    <Button
      variant="outlined"
      color="inherit"
      startIcon={<RetryIcon size={16} />}
      // Not disabled while loading, because a disabled button would lose the focus.
      aria-busy={categories.refreshing || undefined}
      onClick={() => {
        onRefresh?.();
        if (!categories.refreshing) void categories.refresh().then(() => announce(texts.refreshed));
      }}
    >
      {texts.refresh}
    </Button>
  );
}

const QUIET = { color: 'var(--lms-palette-text-secondary)' } as const;

function columnsOf(busy: boolean, onGive: (row: CategoryRow) => void): readonly Column<CategoryRow>[] {
  return [
    {
      id: 'name',
      header: texts.list.name,
      value: (row) => row.name,
      minWidth: 200,
      cell: (row) => <span style={row.why === null ? undefined : QUIET}>{row.name}</span>,
    },
    {
      id: 'sis',
      header: texts.list.sisId,
      value: (row) => row.sisId,
      kind: 'id',
      width: '46%',
      minWidth: 330,
      cell: (row, tabIndex) =>
        row.why === null ? (
          row.sisId
        ) : (
          <span style={QUIET}>
            {row.why}
            {row.canGive && (
              <Button
                size="small"
                tabIndex={tabIndex}
                disabled={busy}
                aria-label={texts.list.giveOf(row.name)}
                onClick={() => onGive(row)}
                sx={{ ml: 1, minHeight: 30, px: 1 }}
              >
                {texts.list.give}
              </Button>
            )}
          </span>
        ),
    },
    {
      id: 'groups',
      header: texts.list.groups,
      value: (row) => row.count,
      kind: 'number',
      width: '96px',
      minWidth: 88,
      cell: (row) => (row.isGroup ? '' : undefined),
    },
    {
      id: 'people',
      header: texts.list.people,
      value: (row) => row.people,
      kind: 'number',
      width: '148px',
      minWidth: 140,
    },
  ];
}
