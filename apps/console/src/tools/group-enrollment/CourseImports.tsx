import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type CourseImport, courseImport } from '@lms-admin/contract/groups';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Dispatch } from 'react';
import { Link } from 'react-router';
import { z } from 'zod';
import { getJson } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { useProfile } from '../../api/session.ts';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { endedBadly, hasEnded, importWords } from '../../components/Job/job-words.ts';
import { texts as jobTexts } from '../../components/Job/texts.ts';
import { clockFormat } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { type CourseWork, isSent, type WorkAction } from './course-work.ts';
import { focusOn } from './dialog-part.ts';
import { texts } from './texts.ts';

const list = z.array(courseImport);
/** Milliseconds between two polls while an import is running. */
const EVERY_MS = 5_000;

const courseImportsQuery = (course: number) =>
  queryOptions({
    queryKey: ['jobs', 'group-imports', course],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.groupImports.replace(':course', String(course)), list, { signal }),
    // Opening the dialog must show the imports that are running now.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some((one) => !hasEnded(one)) ?? false) && EVERY_MS,
    retry: false,
  });

/** Hides an import that has been dismissed here, until the server has recorded the dismissal. */
export function leaveOut(course: number, id: string): void {
  queryClient.setQueryData(courseImportsQuery(course).queryKey, (before) =>
    before?.filter((one) => one.import !== id),
  );
}

export interface CourseImportsProps {
  course: number;
  open: boolean;
  work: CourseWork;
  dispatch: Dispatch<WorkAction>;
}

/** The administrator's imports into the course from other tabs, from before a crash, or from another computer. */
export function CourseImports({ course, open, work, dispatch }: CourseImportsProps) {
  const query = useQuery({ ...courseImportsQuery(course), enabled: open });
  const { time_zone } = useProfile().userProfile;
  const clock = clockFormat(time_zone, query.dataUpdatedAt);
  const followed = [work.groups, work.members].filter(isSent).map(({ submission }) => submission);
  const others = (query.data ?? []).filter(
    (one) => !followed.some((sent) => sent.import === one.import || sent.key === one.plan),
  );
  if (others.length === 0) return null;
  return (
    <Box component="section" aria-label={texts.dialog.imports} sx={{ display: 'grid', gap: 1 }}>
      {others.map((one) => (
        <Notice
          key={one.import}
          tone={endedBadly(one) ? 'warning' : 'info'}
          title={importWords(one, clock(one.created_at))}
          action={<Show one={one} work={work} dispatch={dispatch} />}
        >
          <Box sx={{ overflowWrap: 'anywhere' }}>{one.label}</Box>
        </Notice>
      ))}
    </Box>
  );
}

interface ShowProps extends Pick<CourseImportsProps, 'work' | 'dispatch'> {
  one: CourseImport;
}

function Show({ one, work, dispatch }: ShowProps) {
  const { part } = one;
  const look = { size: 'small', variant: 'outlined', color: 'inherit' } as const;
  // An undo is not shown here, and a part that shows its own import cannot show another one.
  if (part === null || isSent(work[part]))
    return (
      <Button {...look} component={Link} to={`${ACTIVITY_PATH}/${one.import}`}>
        {jobTexts.showImport}
      </Button>
    );
  return (
    <Button
      {...look}
      onClick={() => {
        // The button disappears with its notice.
        focusOn(part);
        dispatch({ type: 'adopt', part, plan: one.plan, import: one.import });
      }}
    >
      {jobTexts.showImport}
    </Button>
  );
}
