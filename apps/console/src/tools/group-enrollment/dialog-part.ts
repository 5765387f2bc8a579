/** Props of every part of the course's dialog. */
import type { Dispatch } from 'react';
import type { Categories } from './categories-query.ts';
import type { WorkAction } from './course-work.ts';
import type { OpenCourse } from './group-state.ts';

export interface DialogPart {
  course: OpenCourse;
  /** Stays the same between renders. */
  dispatch: Dispatch<WorkAction>;
}

export interface PanelProps extends DialogPart {
  categories: Categories;
}

/** IDs of elements that get the focus when the pressed button disappears. */
export const PLACES = {
  category: 'group-category',
  groups: 'group-groups',
  members: 'group-members',
  name: 'group-category-name',
  categories: 'group-category-list',
  file: 'group-file',
} as const;

/** Moves focus to one of these elements without scrolling, so that nothing moves under the pointer. */
export function focusOn(place: keyof typeof PLACES): void {
  const element = document.getElementById(PLACES[place]);
  if (element === null) return;
  const { top, bottom } = element.getBoundingClientRect();
  element.focus({ preventScroll: top < window.innerHeight && bottom > 0 });
}
