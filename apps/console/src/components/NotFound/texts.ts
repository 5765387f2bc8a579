/** Texts of ours about people who were not found. */
const people = (count: number) =>
  count === 1 ? '1 person is' : `${count.toLocaleString('en-GB')} people are`;

export const texts = {
  list: 'Not found',
  create: 'Create these users',
  showAll: (count: number) => `Show all ${count.toLocaleString('en-GB')}`,
  more: (count: number) => `and ${count.toLocaleString('en-GB')} more`,
  /** By why somebody who is in the LMS was not found. */
  there: {
    'no-sis-id': {
      title: (count: number) => `${people(count)} in the LMS, without a SIS id`,
      text: 'A SIS import names people by their SIS id, so it cannot reach them. Do not create them once more: ask IT Support or the registrar to give them their SIS id, then review again.',
    },
    several: {
      title: (count: number) => `${people(count)} in the LMS more than once`,
      text: 'More than one person has this login, so it is not known who is meant. Ask IT Support which one is right.',
    },
    'another-login': {
      title: (count: number) => `${people(count)} in the LMS, with another login`,
      text: 'The address is a suspended login, or not the one that the LMS shows of the person. Do not create them once more: enter the login that Search Users shows, or ask IT Support.',
    },
    'mail-address': {
      title: (count: number) =>
        `${people(count)} in the LMS and ${count === 1 ? 'has' : 'have'} another login`,
      text: 'The LMS has the address as one for mail, and people are enrolled by their login. Do not create them a second time: enter the login that Search Users shows for the address.',
    },
  },
} as const;
