import type { Plan } from '@lms-admin/contract/enrollments';
import { messages } from '@lms-admin/contract/messages';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { RetryIcon } from '../../components/Icons.tsx';
import { counted } from '../../components/Wizard/wizard-state.ts';
import { AddressList } from './AddressList.tsx';
import { Notice, ShortList } from './Notice.tsx';
import { sectionsToName, unreadCourses } from './plan-summary.ts';
import { texts } from './texts.ts';

/** Chips shown on the review; the rest stands in a list of its own. */
const MOST_CHIPS = 24;

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
      {not_found.length > 0 && <NotFoundChips addresses={not_found} />}
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

/** The chips 'User Not Found' (CE-15). */
function NotFoundChips({ addresses }: { addresses: readonly string[] }) {
  const [all, setAll] = useState(false);
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} variant="h3" component="p" sx={{ mb: 1 }}>
        {messages.enrollment.userNotFound} ({addresses.length.toLocaleString('en-GB')})
      </Typography>
      <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, m: 0, p: 0, listStyle: 'none' }}>
        {addresses.slice(0, MOST_CHIPS).map((email) => (
          <li key={email}>
            <Chip
              label={email}
              variant="outlined"
              sx={{
                bgcolor: 'surface.look',
                borderColor: 'warning.main',
                height: 'auto',
                minHeight: 32,
                '& .MuiChip-label': { whiteSpace: 'normal', overflowWrap: 'anywhere' },
              }}
            />
          </li>
        ))}
        {addresses.length > MOST_CHIPS && (
          <li>
            <Button size="small" onClick={() => setAll(true)}>
              {texts.review.showAll(addresses.length)}
            </Button>
          </li>
        )}
      </Box>
      <AppDialog
        open={all}
        onClose={() => setAll(false)}
        title={messages.enrollment.userNotFound}
        actions={
          <Button variant="contained" autoFocus onClick={() => setAll(false)}>
            {messages.enrollment.close}
          </Button>
        }
      >
        <AddressList addresses={addresses} label={texts.review.missingList} height={300} />
      </AppDialog>
    </Box>
  );
}
