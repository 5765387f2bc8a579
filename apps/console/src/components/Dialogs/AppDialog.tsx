import { lazy, Suspense, useState } from 'react';
import type { AppDialogProps } from './types.ts';

const load = () => import('./DialogBody.tsx').then(({ DialogBody }) => ({ default: DialogBody }));
const DialogBody = lazy(load);

/** Loads the script of dialogs before the first one opens, so that it opens even without a connection. */
export async function fetchDialogs(): Promise<void> {
  await load();
}

/** The dialog of the console: labelled by its title, with focus kept inside and returned to a field when it closes. */
export function AppDialog(props: AppDialogProps) {
  const [opened, setOpened] = useState(props.open);
  if (props.open && !opened) setOpened(true);
  if (!opened) return null;
  return (
    <Suspense fallback={null}>
      <DialogBody {...props} />
    </Suspense>
  );
}
