/** Texts of ours for failures that only the browser can notice. */
export const texts = {
  unreachable: 'LMS Admin could not be reached.',
  unreachableNext: 'Check your connection and try again. Nothing on this page is lost.',
  oddAnswer: 'LMS Admin gave an answer that this page does not understand.',
  oddAnswerNext: 'Load the page again. If it happens once more, please contact IT Support.',
  tooLarge: 'The server in front of LMS Admin does not let anything so large through.',
  tooLargeNext: 'Send less at once, or ask IT Support to allow uploads of 100 MB there.',
  away: 'LMS Admin is not running at the moment.',
  awayNext: 'Try again in a minute. Nothing on this page is lost.',
  cutOff: 'The answer stopped before its end.',
  cutOffNext: 'Try again. What has arrived so far is not complete.',
} as const;
