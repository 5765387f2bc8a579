/** Parts of a screen whose script is fetched ahead, while the person is still at work on what comes before. */
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { Skeletons } from './States/Skeletons.tsx';

export interface Later<Props extends object> {
  /** Draws the part: at once when its script is there, else a skeleton first. */
  Part: ComponentType<Props>;
  /** Begins to fetch the script; a failure is no news here, since drawing the part tries again. */
  fetch: () => void;
}

/**
 * A part that is loaded later. `lazy` alone draws its fallback for a moment even when the script has come already; a part
 * that was fetched ahead is drawn in the same turn, so that nothing flashes and focus stays where it was put.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> {
  let ready: ComponentType<Props> | null = null;
  const Waiting = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;

  function Part(props: Props) {
    // Chosen once: a change of the type would draw the part anew and lose what it holds.
    const [Drawn] = useState(() => ready ?? Waiting);
    return (
      <Suspense fallback={<Skeletons lines={6} />}>
        <Drawn {...props} />
      </Suspense>
    );
  }

  return {
    Part,
    fetch() {
      if (ready !== null) return;
      load().then(
        (part) => {
          ready = part;
        },
        () => undefined,
      );
    },
  };
}
