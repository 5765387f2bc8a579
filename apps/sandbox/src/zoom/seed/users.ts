/** Zoom accounts at the practice school: hosts of every kind, and its first teachers. */

import { chanceOfSchool, type RolledPerson, rollOfSchool } from '../../seed/people.ts';
import { BASE_DATE, DOMAIN, TIME_ZONE } from '../../seed/school.ts';
import { digitsOf, idOf } from '../store/ids.ts';
import type { ZoomUser } from '../store/model.ts';
import { DAY } from '../store/time.ts';

/** The department that only teachers belong to. */
export const FACULTY = 'Faculty';

/** How many teachers have a licence: enough for the user list to be longer than one page of 30. */
const TEACHERS = 34;

type Person = Pick<ZoomUser, 'first' | 'last' | 'dept'> &
  Partial<ZoomUser> & {
    login: string;
    /** Logins of people who can schedule for this person. */
    grants?: readonly string[];
  };

/** The account that owns the app, and every meeting that has no other owner. */
const SERVICE = 'lms.admin';

/** One person of each kind. Other people of the school have no Zoom account. */
const PEOPLE: readonly Person[] = [
  { login: SERVICE, first: 'LMS', last: 'Admin', dept: 'Learning technology', role: 'owner' },
  // Hosts who let the service account schedule for them. Bruno can also schedule for Hugo.
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
  // His meetings have no passcode unless one is chosen.
  {
    login: 'farid.noor',
    first: 'Farid',
    last: 'Noor',
    dept: 'Media services',
    timezone: 'Asia/Dubai',
    makesPasscodes: false,
    grants: [SERVICE],
  },
  // Licensed, but lets no one schedule for her, so she cannot become the host of someone else's meeting.
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

/** Creates the users, identical every day and in both sizes of the school. */
export function zoomUsers(): ZoomUser[] {
  const roll = rollOfSchool(chanceOfSchool());
  const teachers = Array.from({ length: TEACHERS }, () => teacher(roll()));
  return [...PEOPLE, ...teachers].map(userOf);
}

/** Creates a teacher. Two in three let the service account schedule for them; one cannot host meetings. */
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
