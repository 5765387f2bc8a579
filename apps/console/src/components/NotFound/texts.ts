/** Texts of ours about people who were not found. */
import { grouped } from '@lms-admin/domain/numbers';

const people = (count: number) => (count === 1 ? '1 person is' : `${grouped(count)} people are`);

export const texts = {
  list: 'Not found',
  create: 'Create these users',
  showAll: (count: number) => `Show all ${grouped(count)}`,
  more: (count: number) => `and ${grouped(count)} more`,
  /** By why someone who is in the LMS was not found. */
  there: {
    'no-sis-id': {
      title: (count: number) => `${people(count)} in the LMS without an SIS ID`,
      text: () =>
        'Imports identify people by SIS ID, and these people have none. Do not create them again. Ask IT Support or the registrar to add their SIS IDs, then review again.',
    },
    several: {
      title: (count: number) => `${people(count)} in the LMS more than once`,
      text: () =>
        'More than one person has this login, so LMS Admin cannot tell who is meant. Ask IT Support which one is right.',
    },
    'another-login': {
      title: (count: number) => `${people(count)} in the LMS, with another login`,
      text: (canSearch: boolean) =>
        `The address is a suspended login, or not the login shown in the LMS for the person. Do not create them again: ${canSearch ? 'enter the login that Search Users shows, or ask IT Support' : 'ask IT Support for the login that the LMS shows, and enter that'}.`,
    },
    'mail-address': {
      title: (count: number) =>
        `${people(count)} in the LMS and ${count === 1 ? 'has' : 'have'} another login`,
      text: (canSearch: boolean) =>
        `The LMS has this only as a contact address, and people are enrolled by their login. Do not create them again: ${canSearch ? 'enter the login that Search Users shows for the address' : 'ask them or IT Support for their login, and enter that'}.`,
    },
  },
} as const;
