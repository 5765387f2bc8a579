import type { FoundUser } from '@lms-admin/contract/canvas-objects';
import { searchUsersMessages } from '@lms-admin/contract/messages/search-users';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useSettings } from '../../api/queries.ts';
import { useProfile } from '../../api/session.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { momentFormat } from '../../components/moments.ts';
import { PersonLink } from '../../components/PersonLink.tsx';
import { texts } from './texts.ts';

interface FoundUsersProps {
  users: readonly FoundUser[];
  loading: boolean;
  /** Whether the LMS has more people than are shown. */
  more: boolean;
}

const rowKey = (user: FoundUser) => user.id;
const rowLabel = (user: FoundUser) => user.name;

/** The people found, in the five documented columns (USR-02). */
export function FoundUsers({ users, loading, more }: FoundUsersProps) {
  const lms = useSettings()?.lms_url ?? null;
  const zone = useProfile().userProfile.time_zone;
  const columns = useMemo(() => columnsOf(lms, zone), [lms, zone]);
  return (
    <>
      {more && <Typography role="status">{texts.more(users.length)}</Typography>}
      <DataTable<FoundUser, number>
        label={texts.results}
        rows={users}
        columns={columns}
        rowKey={rowKey}
        rowLabel={rowLabel}
        empty={searchUsersMessages.none}
        loading={loading}
      />
    </>
  );
}

function columnsOf(lms: string | null, zone: string | null): readonly Column<FoundUser>[] {
  const names = searchUsersMessages.columns;
  const moment = momentFormat(zone);
  return [
    {
      id: 'id',
      header: names.id,
      value: (user) => String(user.id),
      kind: 'id',
      width: '96px',
      minWidth: 96,
    },
    {
      id: 'name',
      header: names.name,
      value: (user) => user.name,
      // The login gets the remaining width: it is the longest value, and people read and copy it.
      width: '190px',
      minWidth: 180,
      cell: ({ id, name }) => <PersonLink lms={lms} id={id} name={name} label={texts.open(name)} />,
    },
    {
      id: 'login',
      header: names.login,
      value: (user) => user.login_id,
      kind: 'id',
      // Never cut off, so that all of it can be read.
      wrap: true,
      minWidth: 280,
    },
    {
      id: 'sis',
      header: names.sis,
      value: (user) => user.sis_user_id,
      kind: 'id',
      width: '136px',
      minWidth: 128,
    },
    {
      id: 'created',
      header: names.created,
      value: (user) => user.created_at,
      cell: (user) => moment(user.created_at),
      width: '180px',
      minWidth: 170,
    },
  ];
}
