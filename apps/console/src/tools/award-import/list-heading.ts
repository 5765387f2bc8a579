/** Id of the heading of the list, which takes the focus when what was pressed is gone. */
export const LIST_HEADING = 'award-list';

/** Takes focus there. */
export function listHeading(): HTMLElement | null {
  return document.getElementById(LIST_HEADING);
}
