import type { CourseDetails } from '@lms-admin/contract/canvas-objects';
import { studentExportMessages } from '@lms-admin/contract/messages/student-export';
import { grouped } from '@lms-admin/domain/numbers';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  exportColumns,
  exportFileName,
  MAX_WORKBOOK_ROWS,
} from '@lms-admin/domain/student-export';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useProfile } from '../../api/session.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { texts as courseTexts } from '../../components/CourseField/texts.ts';
import { Facts } from '../../components/Facts.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { texts } from './texts.ts';
import type { ExportStep } from './useExportWork.ts';

const words = studentExportMessages;

/** Step 'Review Selection' (EXP-06 to EXP-10): the course as it is in the LMS now, and the kind of file. */
export function ReviewStep({ state, dispatch, work }: ExportStep) {
  const { details, absent, error, retry, format } = work;
  const announce = useAnnounce();
  const text = details === null ? (absent ? words.notFound : '') : details.name;
  useEffect(() => announce(text), [announce, text]);

  if (error !== null) return <ErrorState error={error} title={texts.unread} onRetry={retry} />;
  if (absent) return <EmptyState title={words.notFound}>{courseTexts.noneNext}</EmptyState>;
  if (details === null)
    return (
      <>
        <Typography>{words.loading}</Typography>
        <Skeletons lines={4} label={words.loading} />
      </>
    );
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Course details={details} />
      {details.total_students > 0 && <WhatComes details={details} groups={state.groups} format={format} />}
      {details.total_students === 0 ? (
        <Notice tone="warning" title={words.nobody} />
      ) : (
        <Format
          format={format}
          tooLarge={details.total_students > MAX_WORKBOOK_ROWS}
          onChange={(next) => dispatch({ type: 'format', format: next })}
        />
      )}
    </Box>
  );
}

function Course({ details }: { details: CourseDetails }) {
  const { name } = useProfile().user;
  return (
    <Facts
      label={texts.course}
      facts={[
        [words.facts.id, String(details.id)],
        [texts.name, details.name],
        [words.facts.by, name],
        [words.facts.code, details.course_code || '–'],
        [words.facts.sis, details.sis_course_id ?? '–'],
        [words.facts.students, grouped(details.total_students)],
      ]}
    />
  );
}

interface WhatComesProps {
  details: CourseDetails;
  groups: boolean;
  format: ExportFormat;
}

/** The contents of the file, before it is created. */
function WhatComes({ details, groups, format }: WhatComesProps) {
  return (
    <Box component="section" aria-labelledby="student-export-comes">
      <Typography id="student-export-comes" variant="h3" sx={{ mb: 1 }}>
        {texts.comes}
      </Typography>
      <Typography sx={{ maxWidth: '68ch', mb: 2 }}>{texts.rows(details.total_students)}</Typography>
      <Facts
        label={texts.comes}
        facts={[
          [texts.fileName, exportFileName(format, details.id, details.course_code)],
          [texts.columns, exportColumns(groups).join(' · ')],
        ]}
      />
    </Box>
  );
}

interface FormatProps {
  format: ExportFormat;
  tooLarge: boolean;
  onChange: (format: ExportFormat) => void;
}

/** Excel or CSV (OP-83); a note is shown for a course that is too large for an Excel file. */
function Format({ format, tooLarge, onChange }: FormatProps) {
  return (
    <FormControl>
      <FormLabel id="student-export-format">{texts.file}</FormLabel>
      <RadioGroup
        aria-labelledby="student-export-format"
        value={format}
        onChange={(_, value) => onChange(value === 'csv' ? 'csv' : 'xlsx')}
      >
        {EXPORT_FORMATS.map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            disabled={one === 'xlsx' && tooLarge}
            control={<Radio />}
            label={
              <>
                {texts.formats[one]}
                <Typography variant="body2" color="textSecondary">
                  {one === 'xlsx' && tooLarge ? words.tooLarge(MAX_WORKBOOK_ROWS) : texts.formatHints[one]}
                </Typography>
              </>
            }
            sx={{ alignItems: 'flex-start', mt: 1, '& .MuiRadio-root': { mt: -1 } }}
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}
