/** Texts for failures that only the browser can detect. */
export const texts = {
  unreachable: 'LMS Admin could not be reached.',
  unreachableNext: 'Check your connection and try again. Nothing on this page is lost.',
  unexpectedAnswer: 'LMS Admin sent an unexpected response.',
  unexpectedAnswerNext: 'Reload the page. If it keeps happening, contact IT Support.',
  tooLarge: 'The server in front of LMS Admin does not accept uploads of this size.',
  tooLargeNext: 'Send less data at a time, or ask IT Support to allow uploads of 100 MB.',
  away: 'LMS Admin is not running at the moment.',
  awayNext: 'Try again in a minute. Nothing on this page is lost.',
  cutOff: 'The response is incomplete.',
  cutOffNext: 'Try again. Part of the data is missing.',
} as const;
