/** Parts of a screen whose script is fetched ahead, while the person is still at work on what comes before. */
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { Skeletons } from './States/Skeletons.tsx';

/** A component, with the way to fetch its script ahead where that is not here from the start. */
export type Part<Props extends object> = ComponentType<Props> & {
  /** A failure is no news here, since rendering the part tries again. */
  fetch?: () => void;
};

/**
 * A part that is loaded later. `lazy` alone renders its fallback for a moment even when the script has come already; a
 * part that was fetched ahead is rendered in the same turn, so that nothing flashes and focus stays where it was put.
 * @param waiting shown until then
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = <Skeletons lines={6} />,
): Part<Props> {
  let ready: ComponentType<Props> | null = null;
  const Waiting = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;

  function Later(props: Props) {
    // Chosen once: a change of the type would mount the part again and lose what it holds.
    const [Content] = useState(() => ready ?? Waiting);
    return (
      <Suspense fallback={waiting}>
        <Content {...props} />
      </Suspense>
    );
  }

  function fetch() {
    if (ready !== null) return;
    load().then(
      (part) => {
        ready = part;
      },
      () => undefined,
    );
  }

  return Object.assign(Later, { fetch });
}
