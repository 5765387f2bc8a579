import type { RunDays, ZoomQueue, ZoomRunReview } from '@lms-admin/contract/zoom-runs';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useProfile } from '../../api/session.ts';
import { Facts } from '../../components/Facts.tsx';
import { momentFormat } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { Planning } from '../../components/Planning/Planning.tsx';
import type { PlanWork } from '../../components/Planning/usePlan.ts';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { Announcement, Sentence } from './Announcement.tsx';
import { nextRun, queuedName } from './Queue.tsx';
import type { QueueChange } from './queue-change.ts';
import type { NamedCourse } from './queue-query.ts';
import { RunReview } from './RunReview.tsx';
import { texts } from './texts.ts';
import type { RunStep } from './useRunWork.ts';

const words = texts.review;

/** Step 'Upload Data (s3)' (ZR-05): the current data, and a description of what will happen. */
export function ReviewStep({ state, work }: RunStep) {
  const { mode, days } = state;
  const { queue, courses, change, absent } = work;
  const unread = (mode === 'queue' ? queue.error : null) ?? courses.error;
  if (unread !== null)
    return (
      <ErrorState
        error={unread}
        title={queue.error === null ? words.unread : texts.queue.failed}
        onRetry={queue.error === null ? courses.retry : queue.retry}
      />
    );
  if (courses.data === null || (mode === 'queue' && queue.data === null))
    return <Skeletons lines={5} label={words.loading} />;
  if (absent.length > 0)
    return (
      <Announcement message={words.absent(absent)}>
        <EmptyState title={words.absent(absent)}>{words.absentNext}</EmptyState>
      </Announcement>
    );
  if (mode === 'once') {
    const [course] = courses.data.values();
    return course ? <Once course={course} days={days} review={work.review} /> : null;
  }
  return queue.data && <ForQueue queue={queue.data} change={change} courses={courses.data} days={days} />;
}

/** A single run: the course, the days ahead, the administrator, and the effect of the run. */
function Once({
  course,
  days,
  review,
}: {
  course: NamedCourse;
  days: RunDays;
  review: PlanWork<ZoomRunReview>;
}) {
  const { user, userProfile } = useProfile();
  const until = review.plan?.until ?? null;
  const zone = until === null || until.zone === userProfile.time_zone ? null : until.zone;
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Facts
        label={words.course}
        facts={[
          [words.facts.code, course.code || '–'],
          [words.facts.name, course.name],
          [words.facts.id, String(course.id)],
          [words.facts.days, until === null ? String(days) : words.daysUntil(days, dayText(until.day), zone)],
          [words.facts.by, user.name],
        ]}
      />
      {review.plan === null ? <Planning work={review} /> : <RunReview review={review.plan} />}
    </Box>
  );
}

interface ForQueueProps {
  queue: ZoomQueue;
  change: QueueChange;
  courses: ReadonlyMap<number, NamedCourse | null>;
  days: RunDays;
}

/** A change of the queue: added and removed courses, and the time of the next run. */
function ForQueue({ queue, change, courses, days }: ForQueueProps) {
  const { user, userProfile } = useProfile();
  const { added, known, removed } = change;
  const nothing = added.length === 0 && removed.length === 0;
  const sentence = nothing ? words.nothing : words.queue(added.length, removed.length);
  const stay = queue.courses.length - removed.length;
  return (
    <Announcement message={sentence}>
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Box sx={{ display: 'grid', gap: 0.5 }}>
          <Sentence text={sentence} />
          {nothing && <Typography>{words.nothingNext}</Typography>}
          {stay > 0 && <Typography color="textSecondary">{words.unchanged(stay)}</Typography>}
          <Typography color="textSecondary">
            {added.length > 0
              ? words.newFirst(queue.every_hours)
              : texts.queue.next(queue.every_hours, nextRun(queue, userProfile.time_zone))}
          </Typography>
        </Box>
        {added.length > 0 && (
          <Box component="section" aria-labelledby="zoom-run-added">
            <Typography id="zoom-run-added" variant="h3">
              {words.added}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {words.addedDays(days, user.name)}
            </Typography>
            <Names
              names={added.map((id) => [id, queuedName(courses.get(id) ?? { id, code: '', name: '' })])}
            />
          </Box>
        )}
        {removed.length > 0 && (
          <Notice tone="warning" title={words.removed(removed.length)}>
            <Names
              names={queue.courses
                .filter(({ id }) => removed.includes(id))
                .map((one) => [one.id, words.removedLine(queuedName(one), one.added_by)])}
            />
            <Typography>{queue.may_remove ? words.removedNext : words.mayNotRemove}</Typography>
          </Notice>
        )}
        {known.length > 0 && <Notice tone="info" title={words.known(known)} />}
      </Box>
    </Announcement>
  );
}

/** Formats a day, such as '22 Dec 2026'. */
function dayText(day: string): string {
  return momentFormat('UTC')(`${day}T00:00:00Z`).split(',')[0] ?? '';
}

function Names({ names }: { names: readonly (readonly [id: number, name: string])[] }) {
  return (
    <Box component="ul" sx={{ m: 0, mt: 1, pl: 2.5, overflowWrap: 'anywhere' }}>
      {names.map(([id, name]) => (
        <li key={id}>{name}</li>
      ))}
    </Box>
  );
}
