/** ID of the heading of the list, which gets the focus when the pressed button has disappeared. */
export const LIST_HEADING = 'award-list';

export function listHeading(): HTMLElement | null {
  return document.getElementById(LIST_HEADING);
}
