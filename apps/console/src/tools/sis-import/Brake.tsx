import type { SisEffect } from '@lms-admin/contract/sis-effects';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { CheckIcon } from '../../components/Icons.tsx';
import { Notice, ShortList } from '../../components/Notice/Notice.tsx';
import { allTaken, removalsOf } from './effect-words.ts';
import { FIELDS, typedNumber } from './sis-state.ts';
import { texts } from './texts.ts';

const { brake: words } = texts.review;

export interface BrakeProps {
  effect: SisEffect;
  typed: string;
  onTyped: (text: string) => void;
}

/** Lists the removals of the file and, if they are many, asks for their number before the file can be sent. */
export function Brake({ effect, typed, onTyped }: BrakeProps) {
  const { brake, tables } = effect;
  if (allTaken(brake) === 0) return null;
  const enrolments = tables.some(({ kind, does }) => kind === 'enrollment' && (does.removes ?? 0) > 0);
  const uncompared = brake.uncompared.reduce((sum, { count }) => sum + count, 0);
  const people = tables.some(({ kind, does }) => kind === 'user' && (does.deletes ?? 0) > 0);
  return (
    <Notice tone="stop" title={words.title(removalsOf(brake))}>
      <Typography>{words.counted}</Typography>
      {uncompared > 0 && <Typography>{words.uncompared(removalsOf(brake), uncompared)}</Typography>}
      {people && <Typography>{words.roles}</Typography>}
      {enrolments && <Typography>{words.defaultSection}</Typography>}
      {brake.courses.length > 0 && (
        <ShortList
          items={brake.courses.map(({ sis_course_id, name, taken, members, active }) =>
            words.course({ name, id: sis_course_id }, taken, members, active),
          )}
          more={words.moreCourses}
        />
      )}
      {brake.confirm !== null && (
        <Confirm
          count={brake.confirm}
          why={brake.reason === null ? null : words.reason[brake.reason]}
          typed={typed}
          onTyped={onTyped}
        />
      )}
    </Notice>
  );
}

function Confirm(props: {
  count: number;
  why: string | null;
  typed: string;
  onTyped: (text: string) => void;
}) {
  const { count, why, typed, onTyped } = props;
  const right = typedNumber(typed) === count;
  const hint = `${FIELDS.confirm}-hint`;
  return (
    <Box sx={{ display: 'grid', gap: 1, mt: 1 }}>
      <Typography id={hint}>
        {why} {words.confirm(count)}
      </Typography>
      <FormControl variant="outlined" sx={{ width: 260, maxWidth: '100%' }}>
        <InputLabel htmlFor={FIELDS.confirm}>{words.label}</InputLabel>
        <OutlinedInput
          id={FIELDS.confirm}
          label={words.label}
          value={typed}
          autoComplete="off"
          inputProps={{ inputMode: 'numeric', 'aria-describedby': hint }}
          onChange={(event) => onTyped(event.target.value)}
        />
        <FormHelperText component="output" sx={{ mx: 0, display: 'flex', gap: 0.5, minHeight: 20 }}>
          {right && (
            <>
              <CheckIcon size={16} />
              {words.confirmed}
            </>
          )}
        </FormHelperText>
      </FormControl>
    </Box>
  );
}
