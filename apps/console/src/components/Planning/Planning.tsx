import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { useAnnounce } from '../Announcer.tsx';
import { ErrorState } from '../States/ErrorState.tsx';
import { focusStep } from '../Wizard/focus-step.ts';
import { counted } from '../Wizard/wizard-state.ts';
import { type PlanProgress, percent, secondsLeft } from './plan-progress.ts';
import { texts } from './texts.ts';
import { IncompletePlan, type PlanWork } from './usePlan.ts';

export interface PlanningProps {
  work: PlanWork<unknown>;
  /** What the second stage is called; it compares with the courses unless told otherwise. */
  comparing?: string;
}

/** The review while it is worked out: what is being done, how much of it, how long still, and a way to stop it. */
export function Planning({ work, comparing = texts.courses }: PlanningProps) {
  if (work.error instanceof IncompletePlan)
    return (
      <ErrorState error={work.error} title={texts.loss} onRetry={() => againFrom(work)}>
        {texts.lossNext}
      </ErrorState>
    );
  if (work.error !== null)
    return (
      <ErrorState
        error={work.error}
        title={texts.broke}
        onRetry={() => againFrom(work)}
        retryLabel={texts.again}
      >
        {texts.nothingSent}
      </ErrorState>
    );
  if (work.cancelled)
    return (
      <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
        <Typography>{texts.cancelled}</Typography>
        {/* The button that was pressed is gone; focus goes on to the one that takes the press back. */}
        <Button variant="outlined" autoFocus onClick={() => againFrom(work)}>
          {texts.again}
        </Button>
      </Box>
    );
  return <Running progress={work.progress} comparing={comparing} onCancel={work.cancel} />;
}

/** The button of the press goes away with the press. */
function againFrom(work: PlanWork<unknown>): void {
  focusStep();
  work.again();
}

interface RunningProps {
  progress: PlanProgress | null;
  comparing: string;
  onCancel: () => void;
}

function Running({ progress, comparing, onCancel }: RunningProps) {
  const done = progress ? percent(progress) : 0;
  const stage = progress === null ? texts.start : progress.stage === 'people' ? texts.people : comparing;
  const numbers = progress ? texts.of(progress.done, progress.total) : '';
  const left = progress ? secondsLeft(progress) : null;
  useMilestones(progress, stage);
  return (
    <Box sx={{ display: 'grid', gap: 1.5, maxWidth: 640 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, alignItems: 'baseline' }}>
        <Typography variant="h3" component="p">
          {stage}
        </Typography>
        <Typography component="output" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {numbers}
        </Typography>
      </Box>
      <LinearProgress
        variant={progress ? 'determinate' : 'indeterminate'}
        value={done}
        aria-label={stage}
        aria-valuetext={numbers}
      />
      <Box
        sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, alignItems: 'center', minHeight: 40 }}
      >
        <Typography variant="body2" color="textSecondary">
          {[
            ...(left === null ? [] : [texts.left(left)]),
            ...(progress && progress.notFound > 0
              ? [texts.notFound(counted(progress.notFound, 'person', 'people'))]
              : []),
            ...(progress && progress.failed > 0
              ? [texts.failed(counted(progress.failed, 'person', 'people'))]
              : []),
          ].join(' · ')}
        </Typography>
        <Button size="small" color="inherit" variant="outlined" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </Box>
    </Box>
  );
}

/** Says each new stage and each quarter of it: every number would drown the rest. */
function useMilestones(progress: PlanProgress | null, stage: string): void {
  const announce = useAnnounce();
  const said = useRef('');
  useEffect(() => {
    if (!progress) return;
    const quarter = Math.floor(percent(progress) / 25);
    const mark = `${progress.stage} ${quarter}`;
    if (said.current === mark) return;
    said.current = mark;
    announce(`${stage}: ${texts.of(progress.done, progress.total)}`);
  }, [progress, stage, announce]);
}
