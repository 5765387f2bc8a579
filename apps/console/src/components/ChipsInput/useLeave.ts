import { useEffect, useRef } from 'react';

let listening = false;
let pressed = false;

/** Heard once for all fields: there may be a hundred of them. */
function listen(): void {
  if (listening) return;
  listening = true;
  document.addEventListener('mousedown', () => (pressed = true), true);
  document.addEventListener('mouseup', () => (pressed = false), true);
}

/**
 * What happens when a field is left, but never between the press and the release of a mouse button or finger: a message that
 * then appears would move the button away from under the pointer, and its click would be lost.
 * @returns the handler for `onBlur`
 */
export function useLeave(leave: () => void): () => void {
  const latest = useRef(leave);
  useEffect(() => {
    latest.current = leave;
  });
  useEffect(listen, []);
  return () => {
    if (pressed) document.addEventListener('mouseup', () => latest.current(), { capture: true, once: true });
    else latest.current();
  };
}
