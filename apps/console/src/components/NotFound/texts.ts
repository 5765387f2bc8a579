/** Texts about people who were not found. */
import { grouped } from '@lms-admin/domain/numbers';

const people = (count: number) => (count === 1 ? '1 person is' : `${grouped(count)} people are`);

export const texts = {
  list: 'Not found',
  create: 'Create these users',
  showAll: (count: number) => `Show all ${grouped(count)}`,
  more: (count: number) => `and ${grouped(count)} more`,
  /** Texts for each reason why a person in the LMS was not found. */
  there: {
    'no-sis-id': {
      title: (count: number) => `${people(count)} in the LMS without an SIS ID`,
      text: (_canSearch: boolean, count: number) =>
        count === 1
          ? 'Imports identify people by SIS ID, but this person has none. Do not create this person again. Ask IT Support or the registrar to add the SIS ID, then review again.'
          : 'Imports identify people by SIS ID, but these people have none. Do not create them again. Ask IT Support or the registrar to add their SIS IDs, then review again.',
    },
    several: {
      title: (count: number) => `${people(count)} in the LMS more than once`,
      text: (_canSearch: boolean, count: number) =>
        count === 1
          ? 'More than one person has this login, so LMS Admin cannot tell whom you mean. Ask IT Support which of them is the right person.'
          : 'More than one person has each of these logins, so LMS Admin cannot tell whom you mean. Ask IT Support which people are the right ones.',
    },
    'another-login': {
      title: (count: number) => `${people(count)} in the LMS, with a different login`,
      text: (canSearch: boolean, count: number) =>
        count === 1
          ? `The address is a suspended login, or it is not the login that the LMS shows for the person. Do not create this person again. ${canSearch ? 'Enter the login that Search Users shows, or ask IT Support' : 'Ask IT Support for the login that the LMS shows, and enter it'}.`
          : `Each address is a suspended login, or it is not the login that the LMS shows for the person. Do not create these people again. ${canSearch ? 'Enter the logins that Search Users shows, or ask IT Support' : 'Ask IT Support for the logins that the LMS shows, and enter them'}.`,
    },
    'mail-address': {
      title: (count: number) =>
        `${people(count)} in the LMS and ${count === 1 ? 'has' : 'have'} a different login`,
      text: (canSearch: boolean, count: number) =>
        count === 1
          ? `In the LMS this is only a contact address, but people are enrolled by their login. Do not create this person again. ${canSearch ? 'Enter the login that Search Users shows for the address' : 'Ask the person or IT Support for the login, and enter it'}.`
          : `In the LMS these are only contact addresses, but people are enrolled by their login. Do not create these people again. ${canSearch ? 'Enter the logins that Search Users shows for the addresses' : 'Ask these people or IT Support for their logins, and enter them'}.`,
    },
  },
} as const;
