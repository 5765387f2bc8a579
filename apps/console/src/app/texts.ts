/** Texts of ours in the frame of the console. */
export const texts = {
  signIn: 'Sign in with single sign-on',
  tagline: 'Bulk work on the LMS for programme staff: planned, shown, then done.',
  signInHint: 'You are taken to your institution’s sign-in page and come straight back.',
  signInUnfinished: 'Signing in was not completed.',
  signInUnfinishedNext: 'Nothing was changed. Please sign in again.',
  signingOut: 'Signing out',

  skip: 'Skip to content',
  tools: 'Tools',
  account: (name: string) => `Account of ${name}`,
  home: 'LMS Admin, to the first tool',
  earlierTabs: 'Earlier tabs',
  laterTabs: 'Later tabs',
  allTools: 'All tools',
  allToolsHint: 'All tools (Ctrl K)',
  findTool: 'Find a tool',
  noToolFound: (asked: string) => `You have no tool called “${asked}”.`,
  toolsFound: (count: number) => (count === 1 ? '1 tool' : `${count} tools`),
  guideHere: 'Help with this page',
  help: 'Help',
  opensNewWindow: 'opens in a new window',
  practice: 'Practice',
  practiceHint: 'You are working on a practice campus. Nothing you do here reaches the school’s LMS.',
  version: (version: string) => `Version ${version}`,

  activity: {
    title: 'Activity',
    running: (count: number) => `${count.toLocaleString('en-GB')} running`,
    unseen: (count: number) =>
      count === 1 ? '1 needs a look' : `${count.toLocaleString('en-GB')} need a look`,
  },

  notFoundNext: 'Check the address, or go on with one of your tools.',
  toHome: 'Go to the start page',
  noToolTitle: 'No tool to show',
  awardImport: 'Best Teaching Award Import',

  screenFailed: 'This screen stopped working.',
  screenFailedNext: 'What was already sent is not affected. Load the page again to go on.',
  reload: 'Load the page again',
  cleared: 'What was chosen has been cleared. People and rows that you entered are still there.',
  bringBack: 'Bring it back',
  dismiss: 'Dismiss',
  offline: 'You are offline.',
  offlineNext: 'What you have entered stays here, and LMS Admin goes on when the connection is back.',
  slow: 'This takes longer than usual. The connection may be slow.',
} as const;
