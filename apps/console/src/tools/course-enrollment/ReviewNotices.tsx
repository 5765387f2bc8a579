import type { Plan } from '@lms-admin/contract/enrollments';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { RetryIcon } from '../../components/Icons.tsx';
import { NotFoundChips } from '../../components/NotFound/NotFoundChips.tsx';
import { Notice, ShortList } from '../../components/Notice/Notice.tsx';
import { counted } from '../../components/Wizard/wizard-state.ts';
import { sectionsToName, unreadCourses } from './plan-summary.ts';
import { texts } from './texts.ts';

export interface ReviewNoticesProps {
  plan: Plan;
  /** Name of a chosen course: the plan knows no name of those it left out. */
  nameOf: (course: number) => string;
  /** Works the plan out anew, with all that could not be found out. */
  onReplan: () => void;
}

/** What a plan leaves out or could not find out, each with what to do about it (CE-15, CE-22, OP-48). */
export function ReviewNotices({ plan, nameOf, onReplan }: ReviewNoticesProps) {
  const { failed, not_found } = plan.people;
  const unread = unreadCourses(plan);
  const sections = sectionsToName(plan);
  const { review } = texts;
  return (
    <>
      {failed.length > 0 && (
        <Notice
          tone="look"
          title={review.failedTitle(counted(failed.length, 'person', 'people'))}
          action={<Again label={review.lookUpAgain} onPress={onReplan} />}
        >
          <Typography>{review.failedText}</Typography>
          <ShortList items={failed} more={review.more} />
        </Notice>
      )}
      {not_found.length > 0 && <NotFoundChips names={not_found} />}
      {unread.length > 0 && (
        <Notice
          tone="look"
          title={review.unreadTitle(counted(unread.length, 'course', 'courses'))}
          action={<Again label={review.compareAgain} onPress={onReplan} />}
        >
          <Typography>{review.unreadText[plan.status]}</Typography>
          <ShortList items={unread.map((course) => `${course.name} – ${course.unread}`)} more={review.more} />
        </Notice>
      )}
      {plan.left_out.length > 0 && (
        <Notice tone="look" title={review.leftOutTitle(counted(plan.left_out.length, 'course', 'courses'))}>
          <ShortList
            items={plan.left_out.map(({ id, reason }) => review.leftOut(nameOf(id), reason))}
            more={review.more}
          />
        </Notice>
      )}
      {sections.length > 0 && (
        <Notice tone="info" title={review.sectionsTitle(counted(sections.length, 'section', 'sections'))}>
          <Typography>{review.sectionsText}</Typography>
          <ShortList
            items={sections.map(({ course, section, sisId }) => (
              <span key={sisId}>
                {course}, {section}:{' '}
                <Box component="code" sx={{ fontFamily: 'var(--lms-mono)', fontSize: '0.9em' }}>
                  {sisId}
                </Box>
              </span>
            ))}
            more={review.more}
          />
        </Notice>
      )}
    </>
  );
}

function Again({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button
      size="small"
      variant="outlined"
      color="inherit"
      startIcon={<RetryIcon size={16} />}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}
