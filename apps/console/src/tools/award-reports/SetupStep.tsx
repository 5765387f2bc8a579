import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import { toolById } from '@lms-admin/contract/tools';
import {
  AWARD_VIEWS,
  type AwardView,
  COURSE_TYPES,
  EVERY_CAMPUS,
  typesFor,
} from '@lms-admin/domain/award-campuses';
import { shownOpeningDate } from '@lms-admin/domain/award-opening';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { ChoiceSelect } from './ChoiceSelect.tsx';
import { texts } from './texts.ts';
import type { ReportStep } from './useReportWork.ts';

const words = awardReportMessages;
const CONFIGURE = toolById('award-import').path ?? '/';
const ids = (view: AwardView) => ({ tab: `award-tab-${view}`, panel: `award-panel-${view}` });

/** Step 'Setup' (BTA-04 to BTA-11): the opening date of the vote, and the choice of report. */
export function SetupStep({ state, dispatch, work }: ReportStep) {
  const { choice, offered, opening } = work;
  const types = typesFor(choice.view, choice.campus);
  const only = types.length < COURSE_TYPES.length;
  const { view } = state;
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Opening date={opening} />
      <Box>
        <Tabs
          value={view}
          onChange={(_, next: AwardView) => dispatch({ type: 'view', view: next })}
          aria-label={texts.views}
        >
          {AWARD_VIEWS.map((one) => (
            <Tab
              key={one}
              value={one}
              label={words.tabs[one]}
              id={ids(one).tab}
              {...(one === view && { 'aria-controls': ids(one).panel })}
            />
          ))}
        </Tabs>
        <Box
          role="tabpanel"
          id={ids(view).panel}
          aria-labelledby={ids(view).tab}
          sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, pt: 3 }}
        >
          <ChoiceSelect
            id="award-campus"
            label={texts.campus}
            value={choice.campus}
            options={[
              // The tab's initial value is an option like the others, so that it can be chosen again (BTA-10).
              ...(view === 'by-prof' ? [{ value: EVERY_CAMPUS, label: texts.everyCampus }] : []),
              ...offered.map((campus) => ({ value: campus, label: campus })),
            ]}
            onChange={(campus) => dispatch({ type: 'campus', campus })}
          />
          <ChoiceSelect
            id="award-type"
            label={texts.type}
            value={choice.type}
            options={COURSE_TYPES.map((value) => ({
              value,
              label: words.types[value],
              disabled: !types.includes(value),
            }))}
            onChange={(courseType) => dispatch({ type: 'course-type', courseType })}
            {...(only && { hint: texts.onlyElective })}
          />
        </Box>
      </Box>
    </Box>
  );
}

function Opening({ date }: { date: string | null | undefined }) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: 2,
        p: 2,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'surface.sunken',
      }}
    >
      <Box component="dl" sx={{ m: 0 }}>
        <Typography component="dt" variant="body2" color="textSecondary">
          {words.openingDate}
        </Typography>
        <Typography component="dd" variant="subtitle1" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
          {date === undefined ? '–' : shownOpeningDate(date ?? '') || texts.notSet}
        </Typography>
        <Typography component="dd" variant="body2" color="textSecondary" sx={{ m: 0 }}>
          {date === null ? texts.notSetNext : texts.configureHint}
        </Typography>
      </Box>
      <Button variant="outlined" component={Link} to={CONFIGURE}>
        {words.configure}
      </Button>
    </Box>
  );
}
