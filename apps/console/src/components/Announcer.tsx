/** Announces things to people who do not see the screen: progress, results, the number of matches. */
import { useSyncExternalStore } from 'react';

/** `polite` waits for a pause, `assertive` interrupts: only for problems that stop the work. */
export type Urgency = 'polite' | 'assertive';
export type Announce = (text: string, urgency?: Urgency) => void;

interface Announcement {
  text: string;
  /** Counts up, so that the same text announced twice is heard twice. */
  count: number;
}
type Spoken = Readonly<Record<Urgency, Announcement>>;

const silence: Announcement = { text: '', count: 0 };
let spoken: Spoken = { polite: silence, assertive: silence };
const watchers = new Set<() => void>();

/** Announces a text to assistive technology; nothing changes on the screen. */
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

/** Gives a component the function for announcements; it never changes. */
export function useAnnounce(): Announce {
  return announce;
}

/** Style of a text for screen readers only. */
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
 * The two live regions: once at the root, and once inside every dialog, because an open dialog hides the content behind
 * it from assistive technology, live regions included.
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
