/** The page title: the name of the screen, with a mark for running and finished work before it. */
let title = '';
let mark = '';

function show(): void {
  const next = mark === '' ? title : `${mark} ${title}`;
  if (document.title !== next) document.title = next;
}

/** Sets the title of a new screen. */
export function setTitle(next: string): void {
  title = next;
  show();
}

/** Sets the mark: `(2)` while two jobs run, `✓` when one has ended; empty removes it. */
export function setTitleMark(next: string): void {
  mark = next;
  show();
}
