import { useSyncExternalStore } from 'react';

/** Below the theme's `sm`: as `styles.ts` has it. */
const CARDS = '(max-width: 599.95px)';

/** Asked once: a new question makes the browser work out styles. */
let known: MediaQueryList | undefined;
const cardsMedia = () => (known ??= window.matchMedia(CARDS));

function watch(changed: () => void) {
  const media = cardsMedia();
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}

/** Whether the window is so narrow that each row of a table is a card. */
export function useCards(): boolean {
  return useSyncExternalStore(watch, () => cardsMedia().matches);
}
