import { useState } from 'react';
import type { StepProps } from '../../components/Wizard/wizard-definition.ts';
import type { GroupAction, GroupState } from './group-state.ts';

export interface GroupWork {
  /** The text of a course's file; null if it is not available. */
  textOf: (course: number) => string | null;
  /** Keeps the text of a file that is too large to survive a reload. */
  hold: (course: number, text: string | null) => void;
}

/** Props of a step of Group Enrollment. */
export type GroupStep = StepProps<GroupState, GroupAction, GroupWork>;

/**
 * Provides the data of the steps outside the state: files too large to be stored, which are kept until the page is
 * closed.
 */
export function useGroupWork({ files }: GroupState): GroupWork {
  const [held] = useState(() => new Map<number, string>());
  return {
    textOf: (course) => files[course]?.text ?? (course in files ? (held.get(course) ?? null) : null),
    hold(course, text) {
      if (text === null) held.delete(course);
      else held.set(course, text);
    },
  };
}
