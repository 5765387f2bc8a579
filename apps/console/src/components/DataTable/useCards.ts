import { useSyncExternalStore } from 'react';

/** Below the theme's `sm`, as in `styles.ts`. */
const CARDS = '(max-width: 599.95px)';

/** Created once: each new query makes the browser recompute styles. */
let known: MediaQueryList | undefined;
const cardsMedia = () => (known ??= window.matchMedia(CARDS));

function watch(changed: () => void) {
  const media = cardsMedia();
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}

/** Tells whether the window is so narrow that each row of a table is a card. */
export function useCards(): boolean {
  return useSyncExternalStore(watch, () => cardsMedia().matches);
}
