/** Texts for running and finished imports. */
import { counted, grouped } from '@lms-admin/domain/numbers';

const rows = (count: number) => counted(count, 'row', 'rows');
const noneApplied = (count: number) =>
  count === 1 ? 'The row was not applied.' : `None of the ${rows(count)} were applied.`;

export const texts = {
  undo: 'Undo this import',
  bar: 'Progress of the import',
  reported: (percent: number) => `The LMS reports ${percent}% done.`,
  leave: 'You can leave this page. The import continues.',
  lost: 'The progress cannot be loaded at the moment. The import may still be running.',
  lostNext: 'LMS Admin keeps checking. Nothing is sent twice.',
  gaveUp: 'LMS Admin has stopped checking this import. The import may still be running in the LMS.',
  retry: 'Check again',
  attachmentPending: 'If the LMS provides a list of errors, a link to it appears here.',
  done: (count: number) =>
    count === 1
      ? 'All done: the LMS applied the row that was sent.'
      : `All done: the LMS applied all ${rows(count)} that were sent.`,
  /** Reports both figures, which can be equal: the LMS may count a row as applied and still have a message about it. */
  partly: (applied: number, sent: number) =>
    applied < sent
      ? `${grouped(applied)} of ${rows(sent)} were applied. The others were not.`
      : `The LMS applied all ${rows(sent)} and returned messages about some of them.`,
  failed: (applied: number, sent: number) =>
    applied > 0
      ? `The import stopped after ${grouped(applied)} of ${rows(sent)} had been applied.`
      : `The import stopped. ${noneApplied(sent)}`,
  /** Describes an import that the LMS aborted: the state of its rows was then looked up. */
  stopped: (applied: number, sent: number, unknown: number) =>
    (applied > 0
      ? `The import stopped after ${grouped(applied)} of ${rows(sent)} had been applied. The list shows which rows.`
      : `The import stopped. ${noneApplied(sent)}`) +
    (unknown > 0 ? ` The result of ${rows(unknown)} is unknown.` : ''),
  stoppedUnknown: (sent: number) =>
    sent === 1
      ? 'The import stopped. It is not known whether the row was applied.'
      : `The import stopped. It is not known how many of the ${rows(sent)} were applied.`,
  /** Describes an import in which no sent row has a message, but not every reviewed row was sent. */
  allSent: (sent: number) =>
    sent === 1
      ? 'The row that was sent was applied. Differences from the review are listed here.'
      : `All ${rows(sent)} that were sent were applied. Differences from the review are listed here.`,
  passedOver: (applied: number, sent: number) =>
    `${grouped(applied)} of ${rows(sent)} were applied. The LMS skipped the others without giving a reason.`,
  none: noneApplied,
  some: 'Some of the rows were applied.',
  inPart: 'Some changes were not made',
  nothingSent: 'Nothing was sent',
  nothingToSend: 'There was nothing to send',
  noneCarriedOut: 'No rows were applied',
  notKnown: 'The result is unknown',
  next: {
    nothingSent:
      'The LMS has changed since your review, so none of the rows could be sent. The messages say what has changed. To make the remaining changes, start a new review.',
    brokenOff:
      'The applied rows stay in place. Submit again only the rows that were not applied. You can download them here.',
    brokenOffNone: 'Submit the rows again. If the import stops again, contact IT Support.',
    unknown:
      'The applied rows stay in place. You can submit all rows again, because rows that were already applied will not change anything.',
    /**
     * For people to be created: only the others can be submitted again, because people who already exist are
     * rejected.
     */
    brokenOffPeople: 'The people who were created stay in the LMS. Submit only the others again.',
    unknownPeople: (canSearch: boolean) =>
      `The people who were created stay in the LMS. ${canSearch ? 'Use Search Users to check' : 'Check in the LMS'} who was created, and submit only the others again.`,
    partly:
      'The applied rows stay in place. Correct the rows named in the messages, and submit only those again.',
    failed:
      'Read the messages. If they name people or courses, correct those and submit again. Otherwise contact IT Support.',
  },
  nextSilent: 'The LMS gave no reason. Contact IT Support.',
  nothingImported: 'Nothing was imported.',
  messages: 'Messages for each row',
  row: 'Row',
  file: 'File',
  cells: 'Contents of the row',
  message: 'Message',
  details: 'Details',
  show: 'Show',
  showRow: (row: number | null) => (row === null ? 'Show the message' : `Show row ${grouped(row)}`),
  rowTitle: (row: number | null, file: string | null) =>
    [row === null ? 'Message' : `Row ${grouped(row)}`, ...(file === null ? [] : [file])].join(' · '),
  rowUnknown: 'The LMS did not name the row, or the row is no longer stored.',
  emptyCell: '(empty)',
  close: 'Close',
  downloadRows: 'Download these rows as CSV',
  downloadRowsOf: (file: string) => `Download the rows of ${file} as CSV`,
  more: 'Show more messages',
  noMessages: 'The LMS returned no messages about individual rows.',
  messagesFailed: 'The messages could not be loaded.',
} as const;
