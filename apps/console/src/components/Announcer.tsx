/** Says things to people who do not see the screen: progress, results, what a filter left over. */
import { useSyncExternalStore } from 'react';

/** `polite` waits for a pause, `assertive` interrupts: only for what stops the work. */
export type Urgency = 'polite' | 'assertive';
export type Announce = (text: string, urgency?: Urgency) => void;

interface Said {
  text: string;
  /** Counts up, so that the same words said twice are heard twice. */
  count: number;
}
type Spoken = Readonly<Record<Urgency, Said>>;

const silence: Said = { text: '', count: 0 };
let spoken: Spoken = { polite: silence, assertive: silence };
const watchers = new Set<() => void>();

/** Announces a text to assistive technology; the screen does not change. */
export const announce: Announce = (text, urgency = 'polite') => {
  spoken = { ...spoken, [urgency]: { text, count: spoken[urgency].count + 1 } };
  for (const watcher of watchers) watcher();
};

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

/** The way for a component to announce something; the function never changes. */
export function useAnnounce(): Announce {
  return announce;
}

/** Style of a text for people who hear the page only. */
export const outOfSight = {
  position: 'absolute',
  width: 1,
  height: 1,
  margin: -1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;

/**
 * The two live regions. Stands once at the root, and once inside every dialog: what lies behind an open dialog is
 * hidden from assistive technology, live regions included.
 */
export function LiveRegions() {
  const now = useSyncExternalStore(watch, () => spoken);
  return (
    <div style={outOfSight}>
      <div aria-live="polite" aria-atomic="true">
        <span key={now.polite.count}>{now.polite.text}</span>
      </div>
      <div aria-live="assertive" aria-atomic="true">
        <span key={now.assertive.count}>{now.assertive.text}</span>
      </div>
    </div>
  );
}
