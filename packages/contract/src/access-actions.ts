/** The actions of the question 'Can X do Y?', each with its tool, and whether role and place matter. */
import type { RoleLevel } from '@lms-admin/domain/access';
import type { ToolId } from './tools.ts';

export interface Action {
  readonly id: ActionId;
  readonly tool: ToolId;
  /** Text after 'Can Bruno …'. */
  readonly words: string;
  /** The list of roles that decides; null: none. */
  readonly level: RoleLevel | null;
  /** Whether the action is in a course, whose programme decides. */
  readonly place: boolean;
  /** Whether a part of the action belongs to no course, such as the new people in a file. */
  readonly placeless?: true;
}

export type ActionId =
  | 'course-add'
  | 'course-remove'
  | 'section-add'
  | 'section-remove'
  | 'groups'
  | 'sis-file'
  | 'zoom-links'
  | 'zoom-update'
  | 'student-export'
  | 'people-search'
  | 'people-create'
  | 'images'
  | 'award'
  | 'recordings'
  | 'access'
  | 'system';

export const ACTIONS: readonly Action[] = [
  {
    id: 'course-add',
    tool: 'course-enrollment',
    words: 'add people to a course',
    level: 'course',
    place: true,
  },
  {
    id: 'course-remove',
    tool: 'course-enrollment',
    words: 'remove people from a course',
    level: 'course',
    place: true,
  },
  {
    id: 'section-add',
    tool: 'section-enrollment',
    words: 'add people to a section',
    level: 'section',
    place: true,
  },
  {
    id: 'section-remove',
    tool: 'section-enrollment',
    words: 'remove people from a section',
    level: 'section',
    place: true,
  },
  { id: 'groups', tool: 'group-enrollment', words: 'create and fill groups', level: null, place: true },
  {
    id: 'sis-file',
    tool: 'sis-import',
    words: 'send SIS files',
    level: null,
    place: true,
    placeless: true,
  },
  { id: 'zoom-links', tool: 'zoom-creation', words: 'create Zoom meetings', level: null, place: true },
  { id: 'zoom-update', tool: 'zoom-run', words: 'update Zoom links', level: null, place: true },
  { id: 'student-export', tool: 'student-export', words: 'export students', level: null, place: true },
  { id: 'people-search', tool: 'search-users', words: 'search for people', level: null, place: false },
  { id: 'people-create', tool: 'create-users', words: 'create people', level: null, place: false },
  { id: 'images', tool: 'images', words: 'upload images', level: null, place: false },
  {
    id: 'award',
    tool: 'award-reports',
    words: 'see and set up the teaching award',
    level: null,
    place: false,
  },
  { id: 'recordings', tool: 'recordings', words: 'request access to recordings', level: null, place: false },
  { id: 'access', tool: 'access', words: 'change access', level: null, place: false },
  { id: 'system', tool: 'system', words: 'see the state of the installation', level: null, place: false },
];

const BY_ID = new Map(ACTIONS.map((action) => [action.id, action]));

export function actionById(id: ActionId): Action {
  const action = BY_ID.get(id);
  if (!action) throw new Error(`no action ${id}`);
  return action;
}
