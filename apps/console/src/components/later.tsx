/** Parts of a screen whose script is loaded in advance, while the administrator is still working on earlier parts. */
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { Skeletons } from './States/Skeletons.tsx';

/** A component, with a function to load its script in advance if it is loaded separately. */
export type Part<Props extends object> = ComponentType<Props> & {
  /** Failures are ignored here, since rendering the part tries again. */
  fetch?: () => void;
};

/**
 * Creates a part that is loaded later. `lazy` alone briefly renders its fallback even when the script is already
 * loaded; a part loaded in advance renders immediately, so that nothing flashes and focus stays where it was.
 * @param waiting shown until the script is loaded
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = <Skeletons lines={6} />,
): Part<Props> {
  let ready: ComponentType<Props> | null = null;
  const Waiting = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;

  function Later(props: Props) {
    // Chosen once: another component type would mount the part again and lose its state.
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
