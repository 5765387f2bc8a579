import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { WarningIcon } from '../Icons.tsx';
import { texts } from './texts.ts';

export interface JobProgressProps {
  /** The current stage; null if text below the bar names it. */
  stage: string | null;
  /** Real numbers, such as `12 of 42`. */
  numbers?: string;
  bar: {
    label: string;
    /** 0 to 100; null while the duration is unknown: the bar then shows only that work continues. */
    percent: number | null;
  };
  /** Secondary sentences below the bar: an estimate, results so far, the reason for waiting. */
  facts: readonly string[];
  /** Message that the progress cannot be read at the moment, with a button to try again after polling has stopped. */
  lost?: { text: string; onRetry?: () => void } | null;
  /** The button that cancels the work. */
  cancel?: ReactNode;
}

/** The one view of running work: its stage, real numbers, an estimate, and a cancel button. */
export function JobProgress({ stage, numbers = '', bar, facts, lost = null, cancel }: JobProgressProps) {
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {(stage !== null || numbers !== '') && (
        <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, alignItems: 'baseline' }}>
          <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
            {stage}
          </Typography>
          {numbers !== '' && (
            <Typography component="output" sx={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
              {numbers}
            </Typography>
          )}
        </Box>
      )}
      <LinearProgress
        aria-label={bar.label}
        {...(bar.percent === null
          ? { variant: 'indeterminate' }
          : { variant: 'determinate', value: bar.percent })}
        {...(numbers === '' ? {} : { 'aria-valuetext': numbers })}
      />
      {(facts.length > 0 || cancel !== undefined) && (
        <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', minHeight: cancel === undefined ? 0 : 40 }}>
          <Box sx={{ flex: 1, minWidth: 0, typography: 'body2', color: 'text.secondary' }}>
            {facts.map((fact) => (
              <Box key={fact} sx={{ overflowWrap: 'anywhere' }}>
                {fact}
              </Box>
            ))}
          </Box>
          {cancel}
        </Box>
      )}
      {lost !== null && (
        <Alert
          severity="warning"
          icon={<WarningIcon />}
          action={
            lost.onRetry === undefined ? undefined : (
              <Button color="inherit" size="small" onClick={lost.onRetry}>
                {texts.pollNow}
              </Button>
            )
          }
        >
          {lost.text}
        </Alert>
      )}
    </Box>
  );
}
