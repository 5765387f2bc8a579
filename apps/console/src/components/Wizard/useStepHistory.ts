/** The browser's own Back within a wizard: it goes to the step before, as people expect, and not out of the console. */
import { useEffect, useRef } from 'react';

function stepOf(state: unknown): number {
  if (typeof state !== 'object' || state === null || !('wizardStep' in state)) return 0;
  return typeof state.wizardStep === 'number' ? state.wizardStep : 0;
}

function heldState(): object {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null ? state : {};
}

/**
 * Gives each step after the first an entry in the history of the tab.
 * @param step the step that is shown
 * @param inSteps false once there is no way back, as in the progress
 * @returns what the screen's own Back does: it takes the entry away again, so that both stay in step
 */
export function useStepHistory(step: number, inSteps: boolean, onBack: () => void): () => void {
  const latest = useRef({ step, inSteps, onBack });
  useEffect(() => {
    latest.current = { step, inSteps, onBack };
  });

  const shown = useRef(step);
  useEffect(() => {
    const above = stepOf(window.history.state) - step;
    // What the router has written into the entry stays in it.
    if (step > shown.current) window.history.pushState({ ...heldState(), wizardStep: step }, '');
    // A step back by other means than the history takes its entries away, too: else the next Back would do nothing.
    else if (above > 0 && step < shown.current) window.history.go(-above);
    // After 'Back to Home' the page begins again on the entry of a later step.
    else if (above > 0) window.history.replaceState({ ...heldState(), wizardStep: step }, '');
    shown.current = step;
  }, [step]);

  useEffect(() => {
    const path = window.location.pathname;
    function handlePop(event: PopStateEvent) {
      const now = latest.current;
      // A way to another screen is no step back.
      if (window.location.pathname !== path || !now.inSteps) return;
      const to = stepOf(event.state);
      if (to < now.step) now.onBack();
      // Forward would pass over what the step asks for: without a way back to the entry of this step, the next Back did nothing.
      else if (to > now.step) window.history.go(now.step - to);
    }
    window.addEventListener('popstate', handlePop);
    return () => window.removeEventListener('popstate', handlePop);
  }, []);

  return () => {
    if (stepOf(window.history.state) === step) window.history.back();
    else onBack();
  };
}
