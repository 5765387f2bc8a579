/** Texts of ours about people who are looked up while they are entered. Short, plain, without blame. */
import type { WhyThere } from '@lms-admin/contract/enrollments';

const n = (count: number) => count.toLocaleString('en-GB');

/** Why somebody who is there cannot be enrolled by the address, in the words that fit on a chip. */
const why: Readonly<Record<WhyThere, string>> = {
  'no-sis-id': 'no SIS id',
  several: 'More than one person has this login',
  'another-login': 'not the login that the LMS shows',
  'mail-address': 'an address for mail, not a login',
};

export const texts = {
  people: (where: string) => `People for ${where}`,
  looking: 'Looking up',
  notFound: 'Not found',
  failed: 'Could not be looked up',
  noLogin: 'no login',
  why,
  asking: (done: number, all: number) => `Looking up ${n(done)} of ${n(all)}`,
  foundOf: (count: number) => `${n(count)} found`,
  notFoundOf: (count: number) => `${n(count)} not found`,
  thereOf: (count: number) => `${n(count)} cannot be enrolled`,
  failedOf: (count: number) => `${n(count)} could not be looked up`,
  /** Names are a help while people are entered; the review looks everybody up in any case. */
  askedLater: 'You can go on: the review asks again.',
  again: 'Look up again',
  againOf: (where: string) => `Look up again for ${where}`,
  result: (where: string, result: string) => `${where}: ${result}.`,
} as const;
