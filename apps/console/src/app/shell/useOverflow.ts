import { type RefObject, useEffect, useState } from 'react';

/** Tells whether a strip that scrolls sideways has more before and after its visible part. */
export function useOverflow(strip: RefObject<HTMLElement | null>): { before: boolean; after: boolean } {
  const [state, setState] = useState({ before: false, after: false });
  useEffect(() => {
    const element = strip.current;
    if (!element) return undefined;
    function measure(this: void) {
      if (!element) return;
      const before = element.scrollLeft > 4;
      const after = element.scrollLeft + element.clientWidth < element.scrollWidth - 4;
      setState((old) => (old.before === before && old.after === after ? old : { before, after }));
    }
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    const watchChildren = () => {
      for (const child of element.children) watcher.observe(child);
    };
    watchChildren();
    // A tab may be added later, when the settings are known.
    const arrivals = new MutationObserver(watchChildren);
    arrivals.observe(element, { childList: true });
    return () => {
      arrivals.disconnect();
      element.removeEventListener('scroll', measure);
      watcher.disconnect();
    };
  }, [strip]);
  return state;
}
