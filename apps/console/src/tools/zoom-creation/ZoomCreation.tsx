import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { ApiError } from '../../api/errors.ts';
import { useProfile } from '../../api/session.ts';
import { later } from '../../components/later.tsx';
import { knownZone } from '../../components/moments.ts';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { dayOf, todayIn } from './days.ts';
import { COURSE_FIELD, LookupForm } from './LookupForm.tsx';
import { courseQuery, ownersQuery } from './queries.ts';
import { storeEntries } from './stored-runs.ts';
import { texts } from './texts.ts';
import { ZoomDown } from './ZoomDown.tsx';

const words = zoomCreationMessages;
const CourseDialog = later(() => import('./CourseDialog.tsx').then(({ CourseDialog: dialog }) => dialog));

/** Marks a history entry as created by this screen: closing the dialog then goes back to the previous entry. */
const OPENED = { opened: true };

/** Zoom Creation (area ZC): course and day are in the address, so that they survive a reload. */
export default function ZoomCreation() {
  const [params, setParams] = useSearchParams();
  const { state: entry } = useLocation();
  const navigate = useNavigate();
  const { time_zone } = useProfile().userProfile;
  const [today] = useState(() => todayIn(knownZone(time_zone), Date.now()));
  const number = numberOf(params.get('course'));
  const from = dayOf(params.get('from')) ?? today;
  const course = useQuery({ ...courseQuery(number ?? 0), enabled: number !== null });
  const owners = useQuery(ownersQuery);
  useEffect(() => CourseDialog.fetch?.(), []);

  // An earlier 'not found' message must not be shown for a text that cannot be looked up.
  const [refusedAt, setRefusedAt] = useState<number | null>();
  const refused = refusedAt === number;

  const found = number === null || course.isFetching || course.isError ? null : (course.data ?? null);
  // The dialog stays rendered, with its last content, while it fades out.
  const [last, setLast] = useState(found);
  if (found !== null && found !== last) setLast(found);
  const shown = found ?? last;

  function handleFind(next: number) {
    if (next === number) void course.refetch();
    // Back leads from a course to the empty field, not through all the numbers that were tried.
    else setParams({ course: String(next) }, { replace: number !== null, state: OPENED });
  }

  function handleClose() {
    if (shown !== null) storeEntries(shown.id, null);
    if (wasOpened(entry)) void navigate(-1);
    else setParams({}, { replace: true });
  }

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box>
        <Typography variant="h1" tabIndex={-1}>
          {words.title}
        </Typography>
        <Typography color="textSecondary">{texts.purpose}</Typography>
      </Box>
      <Paper variant="outlined" sx={{ p: 3, display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <LookupForm
          key={number ?? ''}
          course={number}
          busy={number !== null && course.isFetching}
          refused={refused}
          onRefused={(is) => setRefusedAt(is ? number : undefined)}
          onFind={handleFind}
        />
        {found === null && <ZoomDown hosts={owners} />}
        {number === null || refused ? (
          <EmptyState title={texts.start}>{texts.startNext}</EmptyState>
        ) : course.isFetching ? (
          <>
            <Typography>{words.loading}</Typography>
            <Skeletons lines={4} label={texts.looking} />
          </>
        ) : course.isError ? (
          <NotFound error={course.error} onRetry={() => void course.refetch()} />
        ) : null}
      </Paper>
      {shown !== null && (
        <CourseDialog
          key={shown.id}
          open={found !== null}
          course={shown}
          from={from}
          onFrom={(day) =>
            setParams({ course: String(shown.id), from: day }, { replace: true, state: entry })
          }
          onClose={handleClose}
          returnFocus={() => document.getElementById(COURSE_FIELD)}
        />
      )}
    </Box>
  );
}

/** ZC-03: a missing course looks the same as one without access; a failed call can be repeated. */
function NotFound({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const absent = error instanceof ApiError && error.code === 'not-found';
  return absent ? (
    <Box role="alert">
      <EmptyState title={words.notFound}>{texts.notFoundNext}</EmptyState>
    </Box>
  ) : (
    <ErrorState error={error} title={words.notFound} onRetry={onRetry} />
  );
}

/** Reads the number of a course in the console's own address. */
function numberOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

function wasOpened(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'opened' in entry;
}
