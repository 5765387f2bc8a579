/** Id of the heading of the current step. */
export const STEP_HEADING = 'wizard-step';

/** Takes focus to the heading of the step: for a press whose button goes away with what stood around it. */
export function focusStep(): void {
  document.getElementById(STEP_HEADING)?.focus({ preventScroll: true });
}
