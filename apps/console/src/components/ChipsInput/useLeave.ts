import { useEffect, useRef } from 'react';

/**
 * What happens when a field is left, but never between the press and the release of a mouse button or finger: a message that
 * then appears would move the button away from under the pointer, and its click would be lost.
 * @returns the handler for `onBlur`
 */
export function useLeave(leave: () => void): () => void {
  const latest = useRef(leave);
  const pressed = useRef(false);
  useEffect(() => {
    latest.current = leave;
  });
  useEffect(() => {
    const press = () => {
      pressed.current = true;
    };
    const release = () => {
      pressed.current = false;
    };
    document.addEventListener('mousedown', press, true);
    document.addEventListener('mouseup', release, true);
    return () => {
      document.removeEventListener('mousedown', press, true);
      document.removeEventListener('mouseup', release, true);
    };
  }, []);
  return () => {
    if (pressed.current)
      document.addEventListener('mouseup', () => latest.current(), { capture: true, once: true });
    else latest.current();
  };
}
