/** Texts of ours in the step 'Programme and Term'. */
const n = (count: number) => count.toLocaleString('en-GB');

export const texts = {
  programme: 'Programme',
  subAccounts: 'Sub-accounts',
  terms: 'Terms',
  courses: 'Courses',
  asLastTime: (names: string) => `As last time: ${names}`,
  choose: 'Choose',
  noOptions: 'Nothing matches what you typed.',
  loading: 'Loading',
  noProgrammes: 'No programme is open to you. Please contact IT Support.',
  full: (most: number) => `${most} chosen, which is the most.`,
  programmeFirst: 'Choose a programme first.',
  subAccountsFirst: 'Choose a sub-account first.',
  ownSubAccount: 'Chosen for you.',
  noSubAccounts: 'It has none, so it stands for itself.',
  noTerms: 'No term fits this programme.',
  failed: {
    programmes: 'The programmes could not be loaded.',
    subAccounts: 'The sub-accounts could not be loaded.',
    terms: 'The terms could not be loaded.',
    courses: (name: string) => `The courses of ${name} could not be loaded completely.`,
  },
  kept: (count: number) =>
    count === 0
      ? 'None of them is shown.'
      : `The ${n(count)} that came before are shown; the others are missing.`,
  read: 'courses read',
  search: 'Search courses',
  searchHint: 'Search courses, or paste a list',
  openCourse: (sisId: string) => `${sisId}, opens in the LMS`,
  loaded: (count: number) => `All courses are loaded, ${n(count)} in the chosen terms.`,
  noCourses:
    'The chosen terms have no course with an SIS ID in these sub-accounts. Choose other terms or sub-accounts.',
} as const;
