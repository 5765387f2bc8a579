import { messages } from '@lms-admin/contract/messages';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { InfoIcon, StopIcon } from '../Icons.tsx';
import { texts } from './texts.ts';
import { unbroken } from './wizard-state.ts';

export interface ActionBarProps {
  /** A summary of the choices, such as `3 courses · 12 people · 36 enrolments`. */
  sum: string;
  onBack: () => void;
  onNext: () => void;
  backDisabled: boolean;
  /** Why Next cannot be pressed; null if it can be. */
  blocked: string | null;
  /** Null without a next step. */
  nextLabel?: string | null;
  /** Whether Next removes anything: it is then red. */
  removes: boolean;
  /** Text about the removals, if the label of the button cannot name them. */
  takes?: string | null;
}

/** Back, Next and a summary of the choices: always visible at the bottom of the window. */
export function ActionBar(props: ActionBarProps) {
  const {
    sum,
    onBack,
    onNext,
    backDisabled,
    blocked,
    removes,
    takes = null,
    nextLabel = messages.wizard.next,
  } = props;
  const reasonId = useId();
  const takesId = useId();
  const describedBy = [takes !== null && takesId, blocked !== null && reasonId].filter(Boolean).join(' ');
  return (
    <Paper
      component="section"
      aria-label={texts.chosen}
      square
      sx={{
        position: 'sticky',
        bottom: 0,
        zIndex: 'appBar',
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1.5,
        rowGap: 1,
        px: { xs: 2, sm: 3 },
        py: 1.5,
        borderWidth: '1px 0 0',
        borderRadius: '0 0 8px 8px',
      }}
    >
      <Chosen sum={sum} takes={takes} takesId={takesId} blocked={blocked} reasonId={reasonId} />
      <Box sx={{ display: 'flex', gap: 1, ml: 'auto' }}>
        <Button variant="outlined" color="inherit" disabled={backDisabled} onClick={onBack}>
          {messages.wizard.back}
        </Button>
        {nextLabel !== null && (
          <Button
            variant="contained"
            color={removes ? 'error' : 'primary'}
            disabled={blocked !== null}
            onClick={onNext}
            sx={{ minWidth: 104 }}
            {...(describedBy === '' ? {} : { 'aria-describedby': describedBy })}
          >
            {nextLabel}
          </Button>
        )}
      </Box>
    </Paper>
  );
}

interface ChosenProps extends Pick<ActionBarProps, 'sum' | 'blocked'> {
  takes: string | null;
  /** IDs of the two lines that describe Next. */
  takesId: string;
  reasonId: string;
}

/** A summary of the choices, and what to know before pressing Next. */
function Chosen({ sum, takes, takesId, blocked, reasonId }: ChosenProps) {
  return (
    // If the summary does not fit beside the buttons, it is on a separate line.
    <Box sx={{ flex: { xs: '1 1 auto', sm: '1 1 120px' }, minWidth: 0 }}>
      <Typography component="output" variant="h3" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
        {sum === '' ? (
          <Box component="span" sx={{ color: 'text.secondary', fontWeight: 450 }}>
            {texts.nothingChosen}
          </Box>
        ) : (
          unbroken(sum)
        )}
      </Typography>
      {takes !== null && (
        <Typography
          id={takesId}
          sx={{ display: 'flex', gap: 0.75, color: 'error.main', fontWeight: 620, mt: 0.25 }}
        >
          <StopIcon size={18} style={{ flex: 'none', marginTop: 2 }} />
          {takes}
        </Typography>
      )}
      {blocked !== null && (
        <Typography
          id={reasonId}
          variant="body2"
          sx={{ display: 'flex', gap: 0.75, color: 'text.secondary', mt: 0.25 }}
        >
          <InfoIcon size={18} style={{ flex: 'none' }} />
          {blocked}
        </Typography>
      )}
    </Box>
  );
}
