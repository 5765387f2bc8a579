/** Texts in the console outside the tools. */
import { grouped } from '@lms-admin/domain/numbers';

export const texts = {
  signIn: 'Sign in with single sign-on',
  tagline: 'Bulk changes in the LMS for programme staff. You review every change before it is made.',
  signInHint: 'You will sign in on your institution’s page and then return here.',
  signInUnfinished: 'Sign-in was not completed.',
  signInUnfinishedNext: 'Nothing was changed. Sign in again.',
  signingOut: 'Signing out',

  skip: 'Skip to content',
  tools: 'Tools',
  account: (name: string) => `Account of ${name}`,
  home: 'LMS Admin: go to the first tool',
  earlierTabs: 'Scroll tabs left',
  laterTabs: 'Scroll tabs right',
  allTools: 'All tools',
  allToolsHint: 'All tools (Ctrl K)',
  guideHere: 'Help with this page',
  help: 'Help',
  opensNewWindow: 'opens in a new window',
  practice: 'Practice',
  practiceHint: 'You are working on a practice LMS. Nothing you do here reaches the school’s LMS.',
  version: (version: string) => `Version ${version}`,

  activity: {
    title: 'Activity',
    running: (count: number) => `${grouped(count)} running`,
    unseen: (count: number) => (count === 1 ? '1 needs attention' : `${grouped(count)} need attention`),
  },

  ownAccess: 'Your access',

  noToolTitle: 'No tools to show',
  awardImport: 'Best Teaching Award Import',
  system: 'System',

  screenFailed: 'This screen stopped working.',
  screenFailedNext: 'Changes that were already sent are not affected. Reload the page to continue.',
  reload: 'Reload the page',
  cleared: 'Your programme, sub-accounts and courses were cleared. The people you entered are still here.',
  bringBack: 'Restore',
  dismiss: 'Dismiss',
  offline: 'You are offline.',
  offlineNext: 'Your entries are kept. LMS Admin continues when the connection is back.',
  slow: 'This is taking longer than usual. The connection may be slow.',
} as const;
