/** Texts of ours for failures that only the browser can notice. */
export const texts = {
  unreachable: 'LMS Admin could not be reached.',
  unreachableNext: 'Check your connection and try again. Nothing on this page is lost.',
  oddAnswer: 'LMS Admin gave an answer that this page does not understand.',
  oddAnswerNext: 'Load the page again. If it happens once more, please contact IT Support.',
  cutOff: 'The answer stopped before its end.',
  cutOffNext: 'Try again. What has arrived so far is not complete.',
} as const;
