/** Makes the browser's Back button go to the previous step of a wizard instead of leaving the console. */
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
 * @param step the visible step
 * @param inSteps false once going back is impossible, as in the progress
 * @returns the action of the screen's own Back button: it also removes the history entry, so that step and history
 * agree
 */
export function useStepHistory(step: number, inSteps: boolean, onBack: () => void): () => void {
  const latest = useRef({ step, inSteps, onBack });
  useEffect(() => {
    latest.current = { step, inSteps, onBack };
  });

  const shown = useRef(step);
  useEffect(() => {
    const above = stepOf(window.history.state) - step;
    // The router's data in the entry stays.
    if (step > shown.current) window.history.pushState({ ...heldState(), wizardStep: step }, '');
    // A step back without the browser's history also removes its entries. Otherwise the next Back would do nothing.
    else if (above > 0 && step < shown.current) window.history.go(-above);
    // After 'Back to Home', the page is reloaded, but on the history entry of a later step.
    else if (above > 0) window.history.replaceState({ ...heldState(), wizardStep: step }, '');
    shown.current = step;
  }, [step]);

  useEffect(() => {
    const path = window.location.pathname;
    function handlePop(event: PopStateEvent) {
      const now = latest.current;
      // Navigating to another screen is not a step back.
      if (window.location.pathname !== path || !now.inSteps) return;
      const to = stepOf(event.state);
      if (to < now.step) now.onBack();
      // Forward must not skip the checks of a step. Without this line, the next Back would do nothing.
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
