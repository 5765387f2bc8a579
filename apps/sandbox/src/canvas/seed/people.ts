/** The people of the practice school: people to sign in as, teachers, students, and special cases. */

import { rollOfSchool } from '../../seed/people.ts';
import type { Chance } from '../../seed/prng.ts';
import { DOMAIN, PROGRAMMES, TIME_ZONE } from '../../seed/school.ts';
import type { World } from '../store/world.ts';

/** A person on the sign-in page. The IDs never change. */
export type SignInPerson = {
  id: number;
  first: string;
  last: string;
  /** The part of the login before the @. */
  login: string;
  title: string;
  timeZone: string;
  /** Their access to LMS Admin, in a few words. */
  may: string;
  group: 'Administrators of LMS Admin' | 'Others';
  accountAdmin: boolean;
};

/** The owner of the script token, for imports on the command line. Not on the sign-in page. */
export const SERVICE_USER_ID = 1;

const ADMINS = 'Administrators of LMS Admin';

/** A person to sign in as who has no permissions in the root account. */
export const LECTURER_ID = 108;

export const SIGN_IN_PEOPLE: readonly SignInPerson[] = [
  person(101, 'Alma', 'Reyes', 'LMS manager', 'Europe/Paris', 'All tools, all programmes'),
  person(102, 'Bruno', 'Keller', 'Programme manager', 'Europe/Zurich', 'Two programmes, a few roles'),
  person(103, 'Carla', 'Singh', 'Student records', 'Asia/Singapore', 'SIS import only'),
  person(104, 'Dev', 'Oduya', 'Help desk', 'Africa/Lagos', 'User search only'),
  person(105, 'Elena', 'Marsh', 'Programme coordinator', 'Europe/London', 'Groups only'),
  person(106, 'Farid', 'Noor', 'Media services', 'Asia/Dubai', 'Recording access only'),
  person(107, 'Greta', 'Lind', 'Programme assistant', 'Europe/Stockholm', 'No tools'),
  {
    ...person(LECTURER_ID, 'Hugo', 'Tan', 'Lecturer', 'Asia/Singapore', 'In Canvas, but not in LMS Admin'),
    group: 'Others',
    accountAdmin: false,
  },
];

/** The people needed to seed the courses. */
export type Cast = { teachers: number[]; staff: number[]; students: Map<number, number[]> };

/** Logins that contain one another: a search for the first also finds the second (§6.6). */
const LOOKALIKES: readonly [first: string, last: string, login: string][] = [
  ['Ann', 'Harper', 'ann'],
  ['Jo Ann', 'Harper', 'joann'],
  ['Dan', 'Ohlsson', 'dan'],
  ['Jordan', 'Ohlsson', 'jordan'],
  ['Mary', 'Ann', 'mary.ann'],
  ['Rosemary', 'Anne', 'rosemary.ann'],
  ['Lee', 'Min', 'lee'],
  ['Ashlee', 'Minogue', 'ashlee'],
];

export function seedPeople(world: World, chance: Chance, total: number): Cast {
  const cast: Cast = { teachers: [], staff: [], students: new Map() };
  addPerson(world, { id: SERVICE_USER_ID, first: 'LMS', last: 'Service', login: 'lms.service', sis: null });
  makeAdmin(world, SERVICE_USER_ID);
  for (const someone of SIGN_IN_PEOPLE) {
    addPerson(world, {
      ...someone,
      sis: String(9_000_000 + someone.id),
      title: someone.title,
      avatar: `/images/avatars/${someone.id}.svg`,
    });
    if (someone.accountAdmin) makeAdmin(world, someone.id);
    else cast.teachers.push(someone.id);
  }
  const roll = rollOfSchool(chance);
  const next = (): NewPerson => {
    const someone = roll();
    return { ...someone, sis: String(5_000_000 + someone.id) };
  };
  const teachers = Math.ceil(total * 0.05);
  const staff = Math.ceil(total * 0.01);
  for (let i = 0; i < teachers; i++) cast.teachers.push(addPerson(world, { ...next(), title: 'Faculty' }));
  for (let i = 0; i < staff; i++) cast.staff.push(addPerson(world, { ...next(), title: 'Staff' }));
  const weights = PROGRAMMES.reduce((sum, programme) => sum + programme.weight, 0);
  const students = total - teachers - staff;
  for (const programme of PROGRAMMES) {
    const cohort: number[] = [];
    const size = Math.ceil((students * programme.weight) / weights);
    for (let i = 0; i < size; i++) {
      const someone = next();
      const { id } = someone;
      // People who were added by hand have a login but no SIS ID.
      if (id % 97 === 0) someone.sis = null;
      if (id % 211 === 0) someone.suspended = true;
      if (id % 307 === 0) someone.deleted = true;
      addPerson(world, someone);
      if (!someone.deleted) cohort.push(id);
    }
    cast.students.set(programme.id, cohort);
  }
  const mba = cast.students.get(86) ?? [];
  for (const [first, last, login] of LOOKALIKES)
    mba.push(addPerson(world, { ...next(), first, last, login }));
  return cast;
}

type NewPerson = {
  id: number;
  first: string;
  last: string;
  login: string;
  sis: string | null;
  title?: string;
  timeZone?: string;
  avatar?: string;
  suspended?: boolean;
  deleted?: boolean;
};

function addPerson(world: World, someone: NewPerson): number {
  const { id, first, last } = someone;
  const email = `${someone.login}@${DOMAIN}`;
  world.users.add({
    id,
    name: `${first} ${last}`,
    sortable_name: `${last}, ${first}`,
    short_name: `${first} ${last}`,
    workflow_state: someone.deleted ? 'deleted' : 'registered',
    pronouns: null,
    time_zone: someone.timeZone ?? TIME_ZONE,
    locale: null,
    avatar_url: someone.avatar ?? null,
    title: someone.title ?? null,
    bio: null,
    stuck_sis_fields: null,
  });
  const channel = world.channels.add({
    user_id: id,
    path: email,
    path_type: 'email',
    workflow_state: someone.deleted ? 'retired' : 'active',
    position: 1,
  });
  world.pseudonyms.add({
    user_id: id,
    unique_id: email,
    sis_user_id: someone.sis,
    integration_id: someone.sis,
    workflow_state: someone.deleted ? 'deleted' : someone.suspended ? 'suspended' : 'active',
    authentication_provider_id: null,
    password_auto_generated: true,
    declared_user_type: null,
    sis_communication_channel_id: someone.sis === null ? null : channel.id,
    sis_batch_id: null,
    last_request_at: null,
    stuck_sis_fields: null,
  });
  return id;
}

function makeAdmin(world: World, userId: number): void {
  world.accountUsers.add({
    account_id: 1,
    user_id: userId,
    role_id: 1,
    workflow_state: 'active',
    sis_batch_id: null,
  });
}

function person(
  id: number,
  first: string,
  last: string,
  title: string,
  timeZone: string,
  may: string,
): SignInPerson {
  const login = `${first}.${last}`.toLowerCase();
  return { id, first, last, login, title, timeZone, may, group: ADMINS, accountAdmin: true };
}
