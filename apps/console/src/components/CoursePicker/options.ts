/** What a field with a list of options is given. */
import type { ReactNode } from 'react';

export interface Option {
  id: number;
  name: string;
  firstLetter?: string;
  /** Quiet text behind the name, such as the account above. */
  parent_name?: string;
}

export interface CommonProps {
  id: string;
  label: string;
  options: readonly Option[];
  /** Below the field: what it wants, or why it cannot be used. */
  hint: ReactNode;
  loading: boolean;
  disabled: boolean;
  /** The account that most options lie in: it is not worth saying. */
  usualParent?: string;
  /** The options for what was typed, in their order; else those that contain it. */
  filterOptions?: (options: Option[], typed: { inputValue: string }) => Option[];
}

export interface OneFieldProps extends CommonProps {
  value: Option | null;
  onChange: (value: Option | null) => void;
}

export interface ManyFieldProps extends CommonProps {
  value: readonly Option[];
  most: number;
  /** Shows its value without letting it change. */
  readOnly?: boolean;
  onChange: (value: readonly Option[]) => void;
}
