import type { AccessDrift } from '@lms-admin/contract/access';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { driftQuery } from '../../api/access.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { type Draft, EMPTY } from './draft.ts';
import { people as counted, texts } from './texts.ts';

const words = texts.lms;
type Line = AccessDrift['lines'][number];

/** The records compared with the administrators of the LMS; it only makes suggestions. */
export function LmsAdmins({ onAdd, editable }: { onAdd: (draft: Draft) => void; editable: boolean }) {
  const query = useQuery(driftQuery);
  const columns = useMemo(() => columnsOf(editable ? onAdd : null), [editable, onAdd]);
  if (query.isError)
    return <ErrorState error={query.error} title={words.failed} onRetry={() => void query.refetch()} />;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography color="textSecondary">{words.purpose}</Typography>
      {query.data && query.data.not_compared > 0 && (
        <Notice tone="warning" title={words.notCompared(query.data.not_compared)} />
      )}
      {query.data && query.data.unread.length > 0 && (
        <Notice tone="warning" title={words.unread(query.data.unread.join(', '))} />
      )}
      <DataTable
        rows={query.data?.lines ?? NONE}
        columns={columns}
        rowKey={lineKey}
        label={words.title}
        loading={query.isPending}
        search
        counts={counted}
        empty={words.empty}
      />
      {query.data && <Typography color="textSecondary">{words.compared(query.data.accounts)}</Typography>}
    </Box>
  );
}

const NONE: readonly Line[] = [];
const lineKey = ({ login }: Line) => login;

function columnsOf(onAdd: ((draft: Draft) => void) | null): readonly Column<Line>[] {
  return [
    { id: 'login', header: words.login, value: ({ login }) => login, wrap: true },
    { id: 'name', header: words.name, value: ({ name }) => name, wrap: true },
    { id: 'difference', header: words.difference, value: differenceOf, wrap: true, width: '45%' },
    {
      id: 'act',
      header: words.act,
      value: () => null,
      sortable: false,
      searchable: false,
      width: '96px',
      cell: ({ kind, login, accounts }, tabIndex) =>
        kind === 'no-access' &&
        onAdd !== null && (
          <Button
            size="small"
            tabIndex={tabIndex}
            aria-label={words.addOf(login)}
            onClick={() =>
              onAdd({ ...EMPTY, logins: login, programmes: [...new Set(accounts.map(({ id }) => id))] })
            }
          >
            {words.add}
          </Button>
        ),
    },
  ];
}

function differenceOf({ kind, accounts }: Line): string {
  if (kind === 'no-lms-role') return words.noRole;
  return words.noAccess(accounts.map(({ name, role }) => `${role}: ${name}`).join(', '));
}
