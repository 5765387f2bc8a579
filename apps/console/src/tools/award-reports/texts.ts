/** Texts of Best Teaching Award Report; prescribed ones are in the contract. */
import { counted, grouped } from '@lms-admin/domain/numbers';

const votes = (count: number) => counted(count, 'vote', 'votes');

export const texts = {
  purpose: ['Choose whose votes you want to see.', 'Check the votes, and download them as an Excel file.'],
  notSet: 'Not set yet',
  notSetNext: 'All votes count until the date is set. Select “Configure” to set it.',
  configureHint: 'The opening date, and the list of professors and courses.',
  views: 'Kinds of report',
  campus: 'Campus',
  type: 'Course Type',
  everyCampus: 'Every campus',
  onlyElective: 'A report of core courses is not available for this choice.',
  card: 'Responses',
  readAt: (when: string) => `Last updated ${when}`,
  neverRead: 'The survey has not been read yet.',
  neverReadNext: 'Select “Refresh” to read it.',
  neverReadVotes: 'Until then every course has 0 votes.',
  leftOut: (left: number, total: number) =>
    `${grouped(left)} of ${counted(total, 'response', 'responses')} ${left === 1 ? 'is' : 'are'} not counted:`,
  nothingLeftOut: (total: number) =>
    total === 0
      ? 'The survey has no responses yet.'
      : total === 1
        ? 'The survey has 1 response, and it counts.'
        : `All ${grouped(total)} responses to the survey count.`,
  anonymous: (count: number) =>
    count === 1
      ? '1 counted response is anonymous.'
      : `${grouped(count)} counted responses are anonymous. Each one counts as a separate voter.`,
  blank: (count: number) =>
    `${counted(count, 'counted response does', 'counted responses do')} not name a course.`,
  countedFrom: (date: string | null) =>
    date === null ? 'Counted from the beginning.' : `Counted from ${date}.`,
  otherDate: 'The opening date has changed since these votes were counted.',
  otherDateNext: (date: string) => `Select “Refresh” to count from ${date}.`,
  refreshWork: 'Survey refresh',
  refreshStart: 'Starting to read the survey',
  refreshBy: (who: string) => `Started by ${who}. The table shows the previous votes until it finishes.`,
  refreshStays: 'The table shows the previous votes until the refresh finishes. You can leave this page.',
  refreshNot: 'The refresh was not started.',
  refreshFailed: (when: string, read: boolean) =>
    `The refresh of ${when} failed.${read ? ' The table shows the previous votes.' : ''}`,
  refreshed: 'The votes have been refreshed.',
  unconfiguredStays: 'The votes counted earlier are still shown.',
  empty: 'The list has no courses for this campus and type.',
  emptyNext: 'Choose another campus or course type, or upload a list that includes them.',
  noList: 'No list of professors and courses has been uploaded yet.',
  noListNext: 'Select “Back”, then “Configure”, and upload a list.',
  search: 'Search courses and faculty',
  excel: 'Excel',
  making: 'Creating the file …',
  saved: 'The Excel file is saved.',
  excelFailed: 'The Excel file could not be created.',
  excelCancelled: 'The Excel export was cancelled.',
  excelGone: 'The Excel file is no longer available. Create it again.',
  chart: {
    title: (count: number) => (count < 2 ? 'The top row' : `The top ${grouped(count)} rows`),
    summary: (rows: readonly (readonly [name: string, votes: number])[]) =>
      `Bar chart of the top ${counted(rows.length, 'row', 'rows')}. ${rows
        .map(([name, count], at) => `${at + 1}: ${name}, ${votes(count)}`)
        .join('. ')}. The table shows the same numbers.`,
    none: 'No votes yet.',
    asMany: (more: number, count: number) =>
      `${counted(more, 'more row has', 'more rows have')} ${votes(count)}, the same number as the last row shown.`,
    ties: 'Rows with the same number of votes are ordered by share, then by name. They have the same rank.',
    axis: 'Nvotes',
  },
  unmatched: {
    title: (count: number) => `Votes that do not match the list: ${grouped(count)}`,
    label: 'Votes that do not match the list',
    next: 'They are not in the table above or in the Excel file. Usually a name is spelt differently. Compare it with the closest names. If the list is wrong, correct it and upload it again. LMS Admin then matches the votes again. If the survey is wrong, add these votes yourself.',
    why: 'Why',
    nearest: 'Closest names in the list',
    none: 'No similar name',
    unnamed: 'No name',
  },
} as const;
