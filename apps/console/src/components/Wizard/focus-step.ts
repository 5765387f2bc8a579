/** ID of the heading of the current step. */
export const STEP_HEADING = 'wizard-step';

/** Moves focus to the heading of the step, after a press on a button that disappears. */
export function focusStep(): void {
  document.getElementById(STEP_HEADING)?.focus({ preventScroll: true });
}
