/** Props of a dialog. */
import type { ReactNode, RefObject } from 'react';

/** Target of the focus: an element, or a function that finds it at that moment. */
export type FocusTarget = RefObject<HTMLElement | null> | (() => HTMLElement | null);

export interface AppDialogProps {
  open: boolean;
  /** Called on Escape or a press outside; if omitted, the dialog can only be closed by its buttons. */
  onClose?: () => void;
  title: string;
  children?: ReactNode;
  /** Buttons; the one that continues comes last. Give the default button `autoFocus`. */
  actions?: ReactNode;
  /** An icon before the title, in the colour of its severity. */
  icon?: ReactNode;
  maxWidth?: 'xs' | 'sm' | 'md' | 'lg';
  fullScreen?: boolean;
  /** `alertdialog` for anything that stops the work. */
  role?: 'dialog' | 'alertdialog';
  /** Target of the focus when the dialog closes; if omitted, the previous element. */
  returnFocus?: FocusTarget;
  /** Called after the dialog has closed and focus has returned. */
  onClosed?: () => void;
  /** Removes the padding of the content, for tables that reach the edges. */
  flush?: boolean;
}
