/** Texts about people who are looked up while they are entered. */

import type { WhyThere } from '@lms-admin/contract/enrollments';
import { grouped } from '@lms-admin/domain/numbers';

/** Why an existing person cannot be enrolled by the address, short enough for a chip. */
const why: Readonly<Record<WhyThere, string>> = {
  'no-sis-id': 'no SIS ID',
  several: 'More than one person has this login',
  'another-login': 'not the login shown in the LMS',
  'mail-address': 'a contact address, not a login',
};

export const texts = {
  people: (where: string) => `People for ${where}`,
  looking: 'Looking up',
  notFound: 'Not found',
  failed: 'Could not be looked up',
  noLogin: 'no login',
  why,
  asking: (done: number, all: number) => `Looking up ${grouped(done)} of ${grouped(all)}`,
  foundOf: (count: number) => `${grouped(count)} found`,
  notFoundOf: (count: number) => `${grouped(count)} not found`,
  thereOf: (count: number) => `${grouped(count)} cannot be enrolled`,
  failedOf: (count: number) => `${grouped(count)} could not be looked up`,
  /** Names only help during typing; the review looks everyone up in any case. */
  notLookedUp: 'You can continue. The review looks these people up again.',
  retry: 'Look up again',
  repeatOf: (where: string) => `Look up again for ${where}`,
  byName: 'Or type a name to find a person.',
  suggestions: 'People with this name',
  moreNames: 'More people have this name. Type more letters.',
  suggested: (count: number) =>
    `${grouped(count)} ${count === 1 ? 'person' : 'people'} with this name. Use the arrow keys to select one.`,
  result: (where: string, result: string) => `${where}: ${result}.`,
} as const;
