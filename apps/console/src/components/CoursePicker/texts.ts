/** Texts in the step 'Programme and Term'. */
import { grouped } from '@lms-admin/domain/numbers';

export const texts = {
  programme: 'Programme',
  subAccounts: 'Sub-accounts',
  terms: 'Terms',
  courses: 'Courses',
  asLastTime: (names: string) => `Same as last time: ${names}`,
  choose: 'Choose',
  noOptions: 'Nothing matches what you typed.',
  loading: 'Loading',
  noProgrammes: 'You do not have access to any programme. Contact IT Support.',
  full: (most: number) => `You have chosen ${most}, which is the maximum.`,
  programmeFirst: 'Choose a programme first.',
  subAccountsFirst: 'Choose a sub-account first.',
  ownSubAccount: 'The only sub-account in this programme.',
  noSubAccounts: 'This programme has no sub-accounts. Its own courses are shown.',
  noTerms: 'This programme has no terms.',
  failed: {
    programmes: 'The programmes could not be loaded.',
    subAccounts: 'The sub-accounts could not be loaded.',
    terms: 'The terms could not be loaded.',
    courses: (name: string) => `The courses of ${name} could not be loaded completely.`,
  },
  kept: (count: number) =>
    count === 0
      ? 'No courses are shown.'
      : `The first ${grouped(count)} courses are shown. The others could not be loaded.`,
  read: 'courses loaded',
  /** Names the time of the copy after a number, such as 300. @param time of the copy that the other courses are from */
  readBesideCopy: (time: string) => `courses loaded from the LMS, others as of ${time}`,
  copied: (time: string) =>
    `Courses that could not be loaded are shown as of ${time}. They may have changed since then.`,
  search: 'Search courses',
  searchHint: 'Search courses, or paste a list',
  openCourse: (sisId: string) => `${sisId}, opens in the LMS`,
  loaded: (count: number) => `All courses are loaded, ${grouped(count)} in the chosen terms.`,
  noCourses:
    'The chosen terms have no course with an SIS ID in these sub-accounts. Choose other terms or sub-accounts.',
} as const;
