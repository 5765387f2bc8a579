import { zoomRunMessages } from '@lms-admin/contract/messages/zoom-run';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { ChipsInput } from '../../components/ChipsInput/ChipsInput.tsx';
import { CourseField } from '../../components/CourseField/CourseField.tsx';
import { DaysChoice } from './DaysChoice.tsx';
import { FIELDS } from './fields.ts';
import { Queue } from './Queue.tsx';
import { MODES } from './run-state.ts';
import { texts } from './texts.ts';
import type { RunStep } from './useRunWork.ts';

const words = zoomRunMessages;
const panel = (at: number) => ({ id: `zoom-run-tab-${at}`, panel: `zoom-run-panel-${at}` });

/** Step 'Course Data' (ZR-02, ZR-04): one course now, or courses for the daily queue. */
export function CourseDataStep({ state, dispatch, work }: RunStep) {
  const { mode, course, chips, days } = state;
  const at = MODES.indexOf(mode);
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box>
        <Typography variant="h3">{words.title}</Typography>
        <Tabs
          value={at}
          onChange={(_, next: number) => dispatch({ type: 'mode', mode: MODES[next] ?? 'once' })}
          aria-label={texts.ways}
        >
          {words.tabs.map((label, index) => (
            <Tab key={label} label={label} id={panel(index).id} aria-controls={panel(index).panel} />
          ))}
        </Tabs>
      </Box>
      <Box
        role="tabpanel"
        id={panel(at).panel}
        aria-labelledby={panel(at).id}
        sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        {mode === 'once' ? (
          <CourseField
            id={FIELDS.course}
            label={texts.course}
            value={course}
            onChange={(text) => dispatch({ type: 'course', text })}
            search={work.search}
            goesOn
          />
        ) : (
          <ChipsInput
            kind="course-id"
            id={FIELDS.add}
            label={texts.add}
            hint={texts.addHint}
            state={chips}
            onChange={(next) => dispatch({ type: 'chips', chips: next })}
          />
        )}
        <DaysChoice
          days={days}
          hint={texts.daysHint[mode]}
          onChange={(next) => dispatch({ type: 'days', days: next })}
        />
        {mode === 'queue' && <Queue queue={work.queue} removed={state.removed} dispatch={dispatch} />}
      </Box>
    </Box>
  );
}
