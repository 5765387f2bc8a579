import { studentExportMessages } from '@lms-admin/contract/messages/student-export';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { CourseField } from '../../components/CourseField/CourseField.tsx';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { COURSE_FIELD } from './course-field.ts';
import { texts } from './texts.ts';
import type { ExportStep } from './useExportWork.ts';

const words = studentExportMessages;
const panel = (tab: number) => ({ id: `student-export-tab-${tab}`, panel: `student-export-panel-${tab}` });

/** Step 'Select Course' (EXP-03, EXP-04): one course by its number, or by its address. */
export function CourseStep({ state, dispatch, work }: ExportStep) {
  const [tab, setTab] = useState(0);
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Tabs value={tab} onChange={(_, next: number) => setTab(next)} aria-label={texts.ways}>
        {words.tabs.map((label, index) => (
          <Tab key={label} label={label} id={panel(index).id} aria-controls={panel(index).panel} />
        ))}
      </Tabs>
      <Box role="tabpanel" id={panel(tab).panel} aria-labelledby={panel(tab).id}>
        {tab === 0 ? (
          <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
            <CourseField
              id={COURSE_FIELD}
              label={words.course}
              value={state.course}
              onChange={(text) => dispatch({ type: 'course', text })}
              search={work.search}
              goesOn
            />
            <Box>
              <FormControlLabel
                control={
                  <Checkbox
                    checked={state.groups}
                    onChange={(_, on) => dispatch({ type: 'groups', on })}
                    slotProps={{ input: { 'aria-describedby': 'student-export-groups-hint' } }}
                  />
                }
                label={words.groups}
              />
              <Typography
                id="student-export-groups-hint"
                variant="body2"
                color="textSecondary"
                sx={{ pl: 4 }}
              >
                {texts.groupsHint}
              </Typography>
            </Box>
          </Box>
        ) : (
          <EmptyState title={texts.soon}>{texts.soonNext}</EmptyState>
        )}
      </Box>
    </Box>
  );
}
