/** Id of the heading of the current step. */
export const STEP_HEADING = 'wizard-step';

/** Moves focus to the heading of the step, for a press whose button disappears. */
export function focusStep(): void {
  document.getElementById(STEP_HEADING)?.focus({ preventScroll: true });
}
