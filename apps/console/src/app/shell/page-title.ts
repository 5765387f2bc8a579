/** The title of the page: what the screen is called, with a mark before it of what goes on. */
let title = '';
let mark = '';

function show(): void {
  const next = mark === '' ? title : `${mark} ${title}`;
  if (document.title !== next) document.title = next;
}

/** The screen has changed. */
export function setTitle(next: string): void {
  title = next;
  show();
}

/** `(2)` while two jobs run, `✓` when one has ended meanwhile; empty takes it away. */
export function setTitleMark(next: string): void {
  mark = next;
  show();
}
