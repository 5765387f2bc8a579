/** What a dialog is told. */
import type { ReactNode, RefObject } from 'react';

/** Where focus goes: an element, or a way to find it at that moment. */
export type FocusTarget = RefObject<HTMLElement | null> | (() => HTMLElement | null);

export interface AppDialogProps {
  open: boolean;
  /** Escape, or a press outside; left out, the dialog can only be answered by its buttons. */
  onClose?: () => void;
  title: string;
  children?: ReactNode;
  /** Buttons, the one that goes on last. Give the one to press by default `autoFocus`. */
  actions?: ReactNode;
  /** An icon before the title, in the colour of its meaning. */
  icon?: ReactNode;
  maxWidth?: 'xs' | 'sm' | 'md' | 'lg';
  fullScreen?: boolean;
  /** `alertdialog` for what stops the work. */
  role?: 'dialog' | 'alertdialog';
  /** Where focus goes when the dialog closes; left out, back to where it was before. */
  returnFocus?: FocusTarget;
  /** After it has closed and focus has returned. */
  onClosed?: () => void;
  /** Padding of the content off, for tables that reach the edges. */
  flush?: boolean;
}
