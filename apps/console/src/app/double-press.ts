/**
 * The second press of a double one is for what the first was for. Where the first has changed the page, another button may be
 * under the pointer by then, or have the focus: it is not pressed. One rule for the whole console.
 */

/** What people press; anything else counts as itself. */
const CONTROLS =
  'button, a[href], input, select, textarea, summary, tr, [role="button"], [role="option"], [role="menuitem"], [role="tab"]';

/** Marks a place in which one control does something else once its value changes, such as the step of a wizard. */
const PLACE = 'data-press-place';

/** What a press is for: the control, and what it does as far as its name and its place tell. */
interface Pressed {
  control: Element | null;
  does: string;
}

/** Watches every press of the page. */
export function ignoreSecondPressElsewhere(): void {
  let first: Pressed | null = null;
  let keyFirst: EventTarget | null = null;

  const onPress = (event: MouseEvent) => {
    const pressed = pressedBy(event.target);
    // `detail` counts the presses that belong together by the settings of the machine; presses by key and by program have 0.
    if (event.detail < 2) {
      if (event.type === 'mousedown') first = pressed;
    } else if (pressed.control !== first?.control || pressed.does !== first.does) ignore(event);
  };
  window.addEventListener('mousedown', onPress, { capture: true });
  window.addEventListener('click', onPress, { capture: true });

  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter') return;
      // A key that is held down presses on and on, whatever has the focus by then.
      if (!event.repeat) keyFirst = event.target;
      else if (event.target !== keyFirst) ignore(event);
    },
    { capture: true },
  );
}

function ignore(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function pressedBy(target: EventTarget | null): Pressed {
  const control = controlOf(target);
  const place = control?.closest(`[${PLACE}]`)?.getAttribute(PLACE) ?? '';
  const name = control instanceof HTMLButtonElement ? (control.ariaLabel ?? control.textContent) : '';
  return { control, does: `${place}\n${name}` };
}

function controlOf(target: EventTarget | null): Element | null {
  if (!(target instanceof Element)) return null;
  const label = target.closest('label');
  return label?.control ?? target.closest(CONTROLS) ?? target;
}
