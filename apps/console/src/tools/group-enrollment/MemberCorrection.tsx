import type { MemberPlan } from '@lms-admin/contract/groups';
import { type MemberProblem, memberProblems } from '@lms-admin/domain/group-corrections';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { Notice } from '../../components/Notice/Notice.tsx';
import { focusOn } from './dialog-part.ts';
import { texts } from './texts.ts';

const words = texts.corrections;
/** Problems shown at a time; others appear as these are corrected. */
const SHOWN = 20;

export interface MemberCorrectionProps {
  members: MemberPlan['members'];
  /** @param value null skips the rows */
  onCorrect: (problem: MemberProblem, value: string | null) => void;
}

/** The problems in the cells of a file, each shown once. A correction here simulates the file again. */
export function MemberCorrection({ members, onCorrect }: MemberCorrectionProps) {
  const problems = useMemo(() => memberProblems(members), [members]);
  if (problems.length === 0) return null;
  return (
    <Notice tone="warning" title={words.title(problems.length)}>
      <Typography>{words.how}</Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2, mt: 1 }}>
        {problems.slice(0, SHOWN).map((problem) => (
          <Problem
            key={`${problem.column} ${problem.value} ${problem.why}`}
            of={problem}
            onCorrect={(value) => {
              // The pressed button disappears with the problem.
              focusOn('members');
              onCorrect(problem, value);
            }}
          />
        ))}
      </Box>
      {problems.length > SHOWN && (
        <Typography sx={{ mt: 1 }}>{words.more(problems.length - SHOWN)}</Typography>
      )}
    </Notice>
  );
}

function Problem({ of, onCorrect }: { of: MemberProblem; onCorrect: (value: string | null) => void }) {
  const { column, value, why, rows } = of;
  const [typed, setTyped] = useState(value);
  const wanted = typed.trim();
  const name = words.field(column, value);
  return (
    <Box component="li" sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography sx={{ overflowWrap: 'anywhere' }}>
        {words.rows(rows)}: {why}
      </Typography>
      <Box
        component="form"
        noValidate
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (wanted !== '' && wanted !== value) onCorrect(wanted);
        }}
      >
        <TextField
          size="small"
          label={name}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          sx={{ width: 280, maxWidth: '100%' }}
          slotProps={{ htmlInput: { maxLength: 255, autoComplete: 'off', spellCheck: false } }}
        />
        <Button type="submit" variant="outlined" color="inherit" disabled={wanted === '' || wanted === value}>
          {words.use(rows.length)}
        </Button>
        <Button color="inherit" onClick={() => onCorrect(null)}>
          {words.leaveOut(rows.length)}
        </Button>
      </Box>
    </Box>
  );
}
