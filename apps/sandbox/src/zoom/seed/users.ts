/** The Zoom accounts of the practice school: hosts of every kind, and the first of its teachers. */

import { chanceOfSchool, type RolledPerson, rollOfSchool } from '../../seed/people.ts';
import { BASE_DATE, DOMAIN, TIME_ZONE } from '../../seed/school.ts';
import { digitsOf, idOf } from '../store/ids.ts';
import type { ZoomUser } from '../store/model.ts';
import { DAY } from '../store/time.ts';

/** Where the teachers are, and no one else. */
export const FACULTY = 'Faculty';

/** So many teachers have a licence: with them the list of users is longer than one page of 30. */
const TEACHERS = 34;

type Person = Pick<ZoomUser, 'first' | 'last' | 'dept'> &
  Partial<ZoomUser> & {
    login: string;
    /** Logins of who may schedule for this person. */
    grants?: readonly string[];
  };

/** The account that owns the app, and every meeting that no one else owns. */
const SERVICE = 'lms.admin';

/** One of each kind. The others of the campus have no Zoom. */
const PEOPLE: readonly Person[] = [
  { login: SERVICE, first: 'LMS', last: 'Admin', dept: 'Learning technology', role: 'owner' },
  // Hosts who let the service account schedule for them; Bruno may schedule for Hugo, too.
  { login: 'alma.reyes', first: 'Alma', last: 'Reyes', dept: 'Learning technology', grants: [SERVICE] },
  {
    login: 'bruno.keller',
    first: 'Bruno',
    last: 'Keller',
    dept: 'Programmes',
    timezone: 'Europe/Zurich',
    grants: [SERVICE],
  },
  {
    login: 'hugo.tan',
    first: 'Hugo',
    last: 'Tan',
    dept: 'Lecturers',
    timezone: 'Asia/Singapore',
    grants: [SERVICE, 'bruno.keller'],
    preferences: { mute_upon_entry: true },
  },
  // His meetings have no passcode unless someone chooses one.
  {
    login: 'farid.noor',
    first: 'Farid',
    last: 'Noor',
    dept: 'Media services',
    timezone: 'Asia/Dubai',
    makesPasscodes: false,
    grants: [SERVICE],
  },
  // Licensed, and lets no one schedule for her: meetings cannot be handed to her.
  {
    login: 'carla.singh',
    first: 'Carla',
    last: 'Singh',
    dept: 'Student records',
    timezone: 'Asia/Singapore',
  },
  { login: 'greta.lind', first: 'Greta', last: 'Lind', dept: 'Programmes', type: 1 },
  { login: 'dev.oduya', first: 'Dev', last: 'Oduya', dept: 'Help desk', status: 'inactive' },
  { login: 'elena.marsh', first: 'Elena', last: 'Marsh', dept: 'Programmes', status: 'pending', type: 1 },
];

/** The same on every day and in both sizes of the school. */
export function zoomUsers(): ZoomUser[] {
  const roll = rollOfSchool(chanceOfSchool());
  const teachers = Array.from({ length: TEACHERS }, () => teacher(roll()));
  return [...PEOPLE, ...teachers].map(userOf);
}

/** Two of three let the service account schedule for them; one of them all may not host. */
function teacher({ id, first, last, login }: RolledPerson): Person {
  return {
    login,
    first,
    last,
    dept: FACULTY,
    mayHost: id !== 1003,
    grants: id % 3 === 0 ? [] : [SERVICE],
  };
}

function userOf({ login, grants = [], ...person }: Person): ZoomUser {
  const email = emailOf(login);
  const pending = person.status === 'pending';
  return {
    type: 2,
    status: 'active',
    timezone: TIME_ZONE,
    role: 'member',
    mayHost: true,
    makesPasscodes: true,
    preferences: {},
    removed: false,
    ...person,
    email,
    id: pending ? null : userId(login),
    pmi: pending ? null : Number(digitsOf(`pmi ${email}`, 10)),
    createdAt: BASE_DATE - 400 * DAY,
    lastLogin: pending ? null : BASE_DATE - DAY,
    assistants: grants.map(userId),
  };
}

function emailOf(login: string): string {
  return `${login}@${DOMAIN}`;
}

function userId(login: string): string {
  return idOf(`user ${emailOf(login)}`);
}
