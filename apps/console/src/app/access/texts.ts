/** Texts of the page with the administrator's own access. */
export const texts = {
  title: 'Your access',
  purpose: 'What you can do in LMS Admin, where you can do it, and where each permission comes from.',
  failed: 'Your access could not be loaded.',
  more: 'Ask for more access',
  moreNext: 'Complete this text, copy it, and send it to the person who manages access.',
  text: 'Request',
  copy: 'Copy the request',
  copied: 'The request was copied.',
  notCopied: 'Your browser does not let this page copy. Select the text and copy it.',
  request: (login: string, address: string) =>
    [
      'Please give me more access to LMS Admin.',
      `Login: ${login}`,
      'Tools: ',
      'Programmes: ',
      'Roles: ',
      'Until (last day): ',
      'Reason: ',
      `My current access: ${address}`,
    ].join('\n'),
} as const;
