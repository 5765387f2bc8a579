/** Texts of ours in Best Teaching Award Report, beside the documented ones of the message table. */
const n = (count: number) => count.toLocaleString('en-GB');
const counted = (count: number, one: string, many: string) => `${n(count)} ${count === 1 ? one : many}`;
const votes = (count: number) => counted(count, 'vote', 'votes');

export const texts = {
  purpose: [
    'Choose whose votes you want to see.',
    'Read the votes, and take them with you as an Excel file.',
  ],
  notSet: 'Not set yet',
  notSetNext: 'All votes count until it is set. Press Configure to set it.',
  configureHint: 'Opening date, and the list of professors and courses.',
  views: 'Kinds of report',
  campus: 'Campus',
  type: 'Course Type',
  everyCampus: 'Every campus',
  onlyElective: 'Core courses are not reported for this choice.',
  card: 'Responses',
  readAt: (when: string) => `Last updated ${when}`,
  neverRead: 'The survey has not been read yet.',
  neverReadNext: 'Press Refresh to read it.',
  neverReadVotes: 'Until then every course has 0 votes.',
  leftOut: (left: number, total: number) =>
    `${n(left)} of ${counted(total, 'response', 'responses')} ${left === 1 ? 'is' : 'are'} left out:`,
  nothingLeftOut: (total: number) =>
    total === 0
      ? 'The survey has no responses yet.'
      : total === 1
        ? 'The only response of the survey counts.'
        : `All ${n(total)} responses of the survey count.`,
  anonymous: (count: number) =>
    count === 1
      ? '1 response that counts is anonymous.'
      : `${n(count)} responses that count are anonymous; each counts as a voter of its own.`,
  blank: (count: number) =>
    `${counted(count, 'response that counts', 'responses that count')} chose nothing.`,
  countedFrom: (date: string | null) =>
    date === null ? 'Counted from the beginning.' : `Counted from ${date}.`,
  otherDate: 'The opening date has changed since these votes were counted.',
  otherDateNext: (date: string) => `Press Refresh to count from ${date}.`,
  refreshWork: 'Refresh of the survey',
  refreshStart: 'Starting to read the survey',
  refreshBy: (who: string) => `${who} has asked for it. The votes below are those of before.`,
  refreshStays: 'The votes below are those of before, until the new ones are there. You may leave this page.',
  refreshNot: 'The refresh was not started.',
  refreshFailed: (when: string, read: boolean) =>
    `The refresh of ${when} failed.${read ? ' The votes are those of before it.' : ''}`,
  refreshed: 'The votes are new.',
  unconfiguredStays: 'Votes that were counted before are still shown.',
  empty: 'No course of this choice is in the list.',
  emptyNext: 'Choose another campus or course type, or upload a list that has them.',
  noList: 'There is no list of professors and courses yet.',
  noListNext: 'Press Back, then Configure, and upload it.',
  search: 'Search courses and faculty',
  excel: 'Excel',
  making: 'Making the file …',
  made: 'The Excel file is saved.',
  excelFailed: 'The Excel file could not be made.',
  excelCancelled: 'The Excel file was cancelled.',
  excelGone: 'The Excel file is not kept any more. Make it again.',
  chart: {
    title: (count: number) => (count < 2 ? 'The leading row' : `The leading ${n(count)} rows`),
    summary: (rows: readonly (readonly [name: string, votes: number])[]) =>
      `Bar chart of the leading ${counted(rows.length, 'row', 'rows')}. ${rows
        .map(([name, count], at) => `${at + 1}: ${name}, ${votes(count)}`)
        .join('. ')}. The table says the same.`,
    none: 'Nobody has votes here yet, so nobody leads.',
    asMany: (more: number, count: number) =>
      `${counted(more, 'more row has', 'more rows have')} ${votes(count)}, as many as the last one shown.`,
    ties: 'Rows with equally many votes stand by their share, then by name: none of them is before the other.',
    axis: 'Nvotes',
  },
  unmatched: {
    title: (count: number) => `Votes without a row of the list: ${n(count)}`,
    label: 'Votes without a row of the list',
    next: 'They are in none of the rows above, and not in the Excel file. Mostly a name is spelt differently: compare it with the nearest names. Where the list is wrong, correct it and upload it again: votes are matched anew at once. Where the survey is wrong, add these votes by hand.',
    why: 'Why',
    nearest: 'Nearest in the list',
    none: 'Nothing alike',
    nobody: 'No name',
  },
} as const;
