/**
 * Ignores the second press of a double press if the first has changed the page: another button may then be under the
 * pointer or have the focus. One rule for the whole console.
 */

/** Elements that can be pressed. For any other target, the target itself is compared. */
const CONTROLS =
  'button, a[href], input, select, textarea, summary, tr, [role="button"], [role="option"], [role="menuitem"], [role="tab"]';

/** Marks an area in which a control changes its effect when this value changes, such as the step of a wizard. */
const PLACE = 'data-press-place';

/** The target of a press: the control, with its name and place, which identify its purpose. */
interface Pressed {
  control: Element | null;
  does: string;
}

/** Watches every press on the page. */
export function ignoreSecondPressElsewhere(): void {
  let first: Pressed | null = null;
  let keyFirst: EventTarget | null = null;

  const onPress = (event: MouseEvent) => {
    const pressed = pressedBy(event.target);
    // `detail` counts presses that the operating system considers one series; presses by keyboard or script have 0.
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
      // A key that is held down keeps pressing whatever has the focus.
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
