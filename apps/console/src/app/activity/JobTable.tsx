import type { Job } from '@lms-admin/contract/jobs';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { type ReactNode, useMemo } from 'react';
import { Link as RouterLink, useLocation } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { InfoIcon } from '../../components/Icons.tsx';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { JobState } from '../../components/Job/JobState.tsx';
import { momentFormat, timeAgo } from '../../components/moments.ts';
import { joined } from '../../components/Wizard/wizard-state.ts';
import { aboutLine } from './job-about.ts';
import { texts } from './texts.ts';
import { nameOfTool } from './tool-names.ts';

const rowKey = (one: Job) => one.id;
/** px: about fifteen rows, so that the filters and the end of the list are visible together. */
const HEIGHT = 640;

interface JobTableProps {
  rows: readonly Job[];
  loading: boolean;
  /** Whether the list includes other people's jobs. */
  all: boolean;
  empty: ReactNode;
}

/** Table of jobs, newest first. */
export function JobTable({ rows, loading, all, empty }: JobTableProps) {
  const { search } = useLocation();
  const { time_zone } = useProfile().userProfile;
  const columns = useMemo(() => columnsOf(all, search, time_zone), [all, search, time_zone]);
  return (
    <DataTable<Job, string>
      label={texts.rows}
      rows={rows}
      columns={columns}
      rowKey={rowKey}
      loading={loading}
      empty={empty}
      height={HEIGHT}
    />
  );
}

function columnsOf(all: boolean, search: string, timeZone: string | null): readonly Column<Job>[] {
  const exact = momentFormat(timeZone);
  const who: Column<Job> = {
    id: 'who',
    header: texts.columns.who,
    value: nameOf,
    sortable: false,
    width: '150px',
    minWidth: 130,
  };
  return [
    {
      id: 'what',
      header: texts.columns.what,
      value: ({ label }) => label,
      // Sorting only the loaded rows would hide the others.
      sortable: false,
      minWidth: 250,
      cell: (one) => <What one={one} search={search} />,
    },
    {
      id: 'state',
      header: texts.columns.state,
      value: ({ state }) => state,
      sortable: false,
      width: '176px',
      minWidth: 148,
      cell: (one) => <JobState job={one} />,
    },
    {
      id: 'when',
      header: texts.columns.when,
      value: ({ created_at }) => created_at,
      sortable: false,
      width: '136px',
      minWidth: 124,
      cell: ({ created_at }) => (
        <time dateTime={created_at} title={exact(created_at)}>
          {timeAgo(created_at, Date.now(), timeZone)}
        </time>
      ),
    },
    {
      id: 'tool',
      header: texts.columns.tool,
      value: ({ tool }) => nameOfTool(tool),
      sortable: false,
      width: '168px',
      minWidth: 150,
    },
    ...(all ? [who] : []),
  ];
}

const nameOf = ({ admin }: Job) => admin.name || admin.login;

function What({ one, search }: { one: Job; search: string }) {
  const line = joined(one.undone_by && texts.undone[one.undone_by.mark], aboutLine(one));
  return (
    <Box component="span" sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Named one={one} search={search} />
      {line !== '' && (
        <Typography
          component="span"
          variant="body2"
          color="textSecondary"
          title={line}
          sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        >
          {line}
        </Typography>
      )}
    </Box>
  );
}

function Named({ one, search }: { one: Job; search: string }) {
  return (
    <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
      <Link
        component={RouterLink}
        to={`${ACTIVITY_PATH}/${one.id}`}
        state={{ search }}
        title={one.label}
        sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}
      >
        {one.label}
      </Link>
      {one.elsewhere !== null && (
        <InfoIcon
          size={16}
          role="img"
          aria-hidden="false"
          aria-label={one.elsewhere}
          style={{ flex: 'none', opacity: 0.8 }}
        />
      )}
    </Box>
  );
}
