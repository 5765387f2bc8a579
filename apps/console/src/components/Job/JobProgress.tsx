import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { WarningIcon } from '../Icons.tsx';
import { texts } from './texts.ts';

export interface JobProgressProps {
  /** What is being done; null where something below the bar says it. */
  stage: string | null;
  /** True numbers, such as `12 of 42`. */
  numbers?: string;
  bar: {
    label: string;
    /** 0 to 100; null while no one knows how long it takes: the bar then says only that it goes on. */
    percent: number | null;
  };
  /** Quiet sentences below the bar: an estimate, what was found so far, why it waits. */
  facts: readonly string[];
  /** That it cannot be seen at the moment; with a way to look again once following was given up. */
  lost?: { text: string; onAgain?: () => void } | null;
  /** The button that cancels it. */
  cancel?: ReactNode;
}

/** The one view of work that goes on: what, how far with true numbers, how long still, and a way to cancel it. */
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
            lost.onAgain === undefined ? undefined : (
              <Button color="inherit" size="small" onClick={lost.onAgain}>
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
