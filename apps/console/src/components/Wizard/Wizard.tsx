import { toolAt } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, lazy, type ReactNode, type Ref, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useJobSummary } from '../../api/jobs.ts';
import { useAnnounce } from '../Announcer.tsx';
import { WarningDialog } from '../Dialogs/WarningDialog.tsx';
import { ActionBar } from './ActionBar.tsx';
import { STEP_HEADING } from './focus-step.ts';
import { MissingField } from './missing-field.ts';
import { StepList } from './StepList.tsx';
import { texts } from './texts.ts';
import { useStepHistory } from './useStepHistory.ts';
import { useWarned } from './useWarned.ts';
import type { Missing, WizardPlace } from './wizard-state.ts';

export interface WizardProps {
  /** Name of the tool, the title of the screen. */
  title: string;
  steps: readonly { title: string; purpose: string }[];
  at: WizardPlace;
  /** The content of the current step; in the view `progress`, the progress. */
  children: ReactNode;
  /** What the current step still needs, checked when Next is pressed; null if the administrator can continue. */
  missing: () => Missing | null;
  onNext: () => void;
  onBack: () => void;
  sum: string;
  /** Why Next cannot be pressed at the moment, or null. */
  blocked?: string | null;
  /** Label of Next on this step, if it differs; null if the step has no such button. */
  nextLabel?: string | null | undefined;
  /** Whether Next removes anything. */
  removes?: boolean;
  /** Text about the removals; null for none. */
  takes?: string | null;
  /** Whether the work in the progress view has ended: until then its step is not done. */
  ended: boolean;
  /** Title above the progress; if the last step has the same title, the progress is that step. */
  progressTitle: string;
}

/** Loaded on demand, because usually no import is running. */
const RunningImport = lazy(async () => ({
  default: (await import('../Job/RunningImport.tsx')).RunningImport,
}));

/**
 * The shell of every tool with steps: the position, the purpose of the step, its fields, and an action bar that stays
 * visible. Next says what is missing in the documented dialog, and focus then goes to that field. When the step
 * changes, focus goes to its heading, and the step is announced.
 */
export function Wizard(props: WizardProps) {
  const { title, steps, at, children, missing, onNext, onBack, sum, blocked = null, nextLabel } = props;
  const { ended, removes = false, takes = null } = props;
  const inProgress = at.view === 'progress';
  const tool = toolAt(useLocation().pathname)?.id ?? '';
  const hasImports = useJobSummary()?.imports.includes(tool) ?? false;
  const goBack = useStepHistory(at.step, !inProgress, onBack);
  const place = inProgress ? 'progress' : String(at.step);
  const shown = shownStep(props);
  const heading = useStepFocus(place, shown);
  const { warn, marked, warning } = useWarned(missing);
  function goOn() {
    if (!warn()) onNext();
  }
  const handleEnter = useEnter(goOn, blocked !== null);

  return (
    <Box data-wizard data-press-place={place} sx={{ display: 'grid', gap: 2, scrollMarginTop: 72 }}>
      <Box sx={{ display: 'grid', gap: 1.5 }}>
        <Typography variant="h1">{title}</Typography>
        <StepList
          titles={steps.map((step) => step.title)}
          current={ended ? shown.index : Math.min(shown.index, steps.length - 1)}
        />
      </Box>
      {!inProgress && hasImports && (
        <Suspense fallback={null}>
          <RunningImport tool={tool} />
        </Suspense>
      )}
      <Paper>
        <Box
          component="section"
          aria-labelledby={STEP_HEADING}
          onKeyDown={inProgress ? undefined : handleEnter}
          sx={{ p: { xs: 2, sm: 3 }, pt: { sm: 2 } }}
        >
          <StepHead heading={heading} step={shown} purpose={inProgress ? null : steps[at.step]?.purpose} />
          <MissingField value={marked}>{children}</MissingField>
        </Box>
        {!inProgress && (
          <ActionBar
            sum={sum}
            onBack={goBack}
            onNext={goOn}
            backDisabled={at.step === 0}
            blocked={blocked}
            removes={removes}
            takes={takes}
            {...(nextLabel === undefined ? {} : { nextLabel })}
          />
        )}
      </Paper>
      <WarningDialog {...warning} />
    </Box>
  );
}

interface ShownStep {
  title: string;
  index: number;
  /** The number of steps; null if the progress is not one of them. */
  of: number | null;
}

/** Returns the visible step. If the documents make the progress a separate step, it is the last one. */
function shownStep({ steps, at, progressTitle }: WizardProps): ShownStep {
  const of = steps.length;
  if (at.view !== 'progress') return { title: steps[at.step]?.title ?? '', index: at.step, of };
  const numbered = steps.at(-1)?.title === progressTitle;
  return { title: progressTitle, index: numbered ? of - 1 : of, of: numbered ? of : null };
}

/** Moves focus to the heading of a new step, and announces it. @returns a ref for the heading */
function useStepFocus(place: string, { title, index, of }: ShownStep) {
  const announce = useAnnounce();
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    heading.current?.focus();
    // A long step may have been scrolled: the next step is shown from its top, below the sticky bars.
    heading.current?.closest('[data-wizard]')?.scrollIntoView({ block: 'start' });
    announce(of === null ? title : texts.announce(index + 1, of, title));
  }, [place, title, index, of, announce]);
  return heading;
}

/**
 * Makes Enter press Next in the fields that allow it; pressed while Next is blocked, Enter takes effect as soon as
 * Next can be pressed.
 */
function useEnter(onNext: () => void, blocked: boolean): (event: KeyboardEvent) => void {
  const entered = useRef(false);
  const goOn = useRef(onNext);
  useEffect(() => {
    goOn.current = onNext;
  });
  useEffect(() => {
    if (!entered.current || blocked) return;
    entered.current = false;
    goOn.current();
  }, [blocked]);
  return (event) => {
    const goesOn = event.target instanceof HTMLElement && event.target.dataset.goesOn !== undefined;
    const isEnter = goesOn && event.key === 'Enter' && !event.nativeEvent.isComposing;
    // Any other key changes the entries.
    entered.current = isEnter && blocked;
    if (isEnter && !blocked) onNext();
  };
}

interface StepHeadProps {
  heading: Ref<HTMLHeadingElement>;
  step: ShownStep;
  /** The purpose of the step; nothing for the progress. */
  purpose: string | null | undefined;
}

/** The title of the step, its number, and its purpose. */
function StepHead({ heading, step, purpose }: StepHeadProps) {
  return (
    <Box sx={{ mb: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 2 }}>
        <Typography
          id={STEP_HEADING}
          ref={heading}
          variant="h2"
          tabIndex={-1}
          sx={{ flex: 1, fontSize: '1.25rem', '&:focus': { outline: 'none' } }}
        >
          {step.title}
        </Typography>
        {step.of !== null && (
          <Typography variant="body2" color="textSecondary">
            {texts.step(step.index + 1, step.of)}
          </Typography>
        )}
      </Box>
      {purpose !== null && (
        <Typography color="textSecondary" sx={{ maxWidth: '68ch' }}>
          {purpose}
        </Typography>
      )}
    </Box>
  );
}
