import { useState } from 'react';
import type { StepProps } from '../../components/Wizard/wizard-definition.ts';
import type { GroupAction, GroupState } from './group-state.ts';

export interface GroupWork {
  /** The text of the file of a course; null where there is none any more. */
  textOf: (course: number) => string | null;
  /** Holds the text of a file that is too large to be kept through a reload. */
  hold: (course: number, text: string | null) => void;
}

/** What a step of Group Enrollment is given. */
export type GroupStep = StepProps<GroupState, GroupAction, GroupWork>;

/** What the steps work with beside the state: files too large to be stored, for as long as the page lives. */
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
