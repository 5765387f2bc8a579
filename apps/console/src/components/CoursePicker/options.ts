/** Props of a field with a list of options. */
import type { ReactNode } from 'react';

export interface Option {
  id: number;
  name: string;
  firstLetter?: string;
  /** Secondary text after the name, such as the parent account. */
  parent_name?: string;
}

export interface CommonProps {
  id: string;
  label: string;
  options: readonly Option[];
  /** Text below the field: what to enter, or why it cannot be used. */
  hint: ReactNode;
  loading: boolean;
  disabled: boolean;
  /** The parent of most options, which need not be shown. */
  usualParent?: string;
  /** The options for the typed text, in order; by default those that contain it. */
  filterOptions?: (options: Option[], typed: { inputValue: string }) => Option[];
}

export interface OneFieldProps extends CommonProps {
  value: Option | null;
  onChange: (value: Option | null) => void;
}

export interface ManyFieldProps extends CommonProps {
  value: readonly Option[];
  most: number;
  /** Whether the field shows its value without letting it change. */
  readOnly?: boolean;
  onChange: (value: readonly Option[]) => void;
}
