import type { Plan } from '@lms-admin/contract/enrollments';
import { counted } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { AlreadyThere } from '../../components/NotFound/AlreadyThere.tsx';
import { CreateThese } from '../../components/NotFound/CreateThese.tsx';
import { NotFoundChips } from '../../components/NotFound/NotFoundChips.tsx';
import { Notice, ShortList } from '../../components/Notice/Notice.tsx';
import { AdditionNotices } from '../../components/Review/AdditionNotices.tsx';
import { ConcludedCourses } from '../../components/Review/ConcludedCourses.tsx';
import { CopiedNotice } from '../../components/Review/CopiedNotice.tsx';
import { DateNotices } from '../../components/Review/DateNotices.tsx';
import { RemovalNotices } from '../../components/Review/RemovalNotices.tsx';
import {
  FailedLookups,
  LeftOut,
  NotRestorable,
  RepeatButton,
  SectionsToName,
  Unread,
} from '../../components/Review/ReviewNotices.tsx';
import { texts as shared } from '../../components/Review/texts.ts';
import {
  linkedObservers,
  notInLms,
  notRestorable,
  sectionsToMake,
  sectionsToName,
  unreadCourses,
} from './plan-summary.ts';
import { sendButton } from './plan-words.ts';
import { reviewTexts } from './review-texts.ts';

export interface ReviewNoticesProps {
  plan: Plan;
  /** Name of a chosen course: the plan has no names for skipped courses. */
  nameOf: (course: number) => string;
  /** Prepares the plan again, including everything that could not be read. */
  onReplan: () => void;
}

/** Everything that a plan skips or could not determine, each with what to do about it (CE-15, CE-22, OP-48). */
export function ReviewNotices({ plan, nameOf, onReplan }: ReviewNoticesProps) {
  const { failed, there } = plan.people;
  const absent = notInLms(plan.people);
  const unread = unreadCourses(plan);
  return (
    <>
      <CopiedNotice copied={plan.copied} />
      <FailedLookups names={failed} text={reviewTexts.failedText} onReplan={onReplan} />
      {absent.length > 0 && (
        <NotFoundChips
          names={absent}
          action={
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
              <CreateThese emails={absent} variant="outlined" size="small" />
              {/* The notice about failed lookups has the same button. */}
              {failed.length === 0 && <RepeatButton label={shared.repeatLookup} onPress={onReplan} />}
            </Box>
          }
        />
      )}
      <AlreadyThere people={there} retry={<RepeatButton label={shared.repeatReview} onPress={onReplan} />} />
      <Unread
        items={unread.map((course) => `${course.name} – ${course.unread}`)}
        count={counted(unread.length, 'course', 'courses')}
        text={reviewTexts.unreadText[plan.status]}
        onReplan={onReplan}
      />
      <LeftOut
        items={plan.left_out.map(({ id, reason }) => ({ name: nameOf(id), reason }))}
        count={counted(plan.left_out.length, 'course', 'courses')}
        onReplan={onReplan}
      />
      <ConcludedCourses parts={plan.courses} />
      <DateNotices parts={plan.courses.map((one) => ({ ...one, course: one.name }))} />
      <AdditionNotices with={plan.added_with} />
      <RemovalNotices with={plan.removed_with} linked={linkedObservers(plan)} />
      <NotRestorable people={notRestorable(plan)} />
      <SectionsToName sections={sectionsToName(plan)} button={sendButton(plan)} />
      <SectionsToMake courses={sectionsToMake(plan).map(({ course }) => course)} button={sendButton(plan)} />
    </>
  );
}

/** Courses without a default section: the notice names the section that people are added to. */
function SectionsToMake({ courses, button }: { courses: readonly string[]; button: string }) {
  if (courses.length === 0) return null;
  const { toMakeTitle, toMakeText, more } = reviewTexts;
  return (
    <Notice tone="info" title={toMakeTitle(counted(courses.length, 'course', 'courses'))}>
      <Typography>{toMakeText(button)}</Typography>
      <ShortList items={courses} more={more} />
    </Notice>
  );
}
