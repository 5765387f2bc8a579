import type { SisEffect } from '@lms-admin/contract/sis-effects';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import InputLabel from '@mui/material/InputLabel';
import NativeSelect from '@mui/material/NativeSelect';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { EffectCourses } from './EffectCourses.tsx';
import { EffectRows } from './EffectRows.tsx';
import { countedObjects, type EffectPart, partLabel, partsOf } from './effect-words.ts';
import { texts } from './texts.ts';

const { parts: words } = texts.review;
const keyOf = ({ kind, does }: EffectPart) => `${kind} ${does}`;
/** All enrolments, regardless of the change. */
const BY_COURSE = 'enrollment';

/**
 * The changes that the rows make, part by part, dangerous ones first; enrolments by course, with their people below.
 */
export function EffectParts({ effect, zip }: { effect: SisEffect; zip: boolean }) {
  const [wanted, setWanted] = useState<string | null>(null);
  const parts = partsOf(effect);
  if (parts.length === 0) return null;
  // Rows without effect are shown on request only.
  const first = parts.find(({ does }) => does !== 'nothing') ?? null;
  const enrolments = effect.tables.find(({ kind }) => kind === 'enrollment')?.rows ?? 0;
  const value = wanted ?? (first === null ? '' : first.kind === 'enrollment' ? BY_COURSE : keyOf(first));
  const part = parts.find((one) => keyOf(one) === value) ?? null;
  return (
    <Box
      component="section"
      aria-labelledby="effect-parts"
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'end', justifyContent: 'space-between' }}
      >
        <Typography id="effect-parts" variant="h3">
          {words.title}
        </Typography>
        <FormControl variant="standard" sx={{ minWidth: 240, maxWidth: '100%' }}>
          <InputLabel htmlFor="effect-part" shrink>
            {words.show}
          </InputLabel>
          <NativeSelect
            value={value}
            inputProps={{ id: 'effect-part' }}
            onChange={(event) => setWanted(event.target.value)}
          >
            {value === '' && <option value="">{words.choose}</option>}
            {enrolments > 0 && (
              <option value={BY_COURSE}>{words.byCourse(countedObjects('enrollment', enrolments))}</option>
            )}
            {parts.map((one) => (
              <option key={keyOf(one)} value={keyOf(one)}>
                {partLabel(one)}
              </option>
            ))}
          </NativeSelect>
        </FormControl>
      </Box>
      {value === '' ? (
        <Typography>{words.nothing}</Typography>
      ) : part !== null && part.kind !== 'enrollment' ? (
        <EffectRows key={value} file={effect.file} createdAt={effect.made_at} part={part} zip={zip} />
      ) : (
        <EffectCourses
          key={value}
          file={effect.file}
          createdAt={effect.made_at}
          rows={part?.rows ?? enrolments}
          part={part}
          zip={zip}
        />
      )}
    </Box>
  );
}
