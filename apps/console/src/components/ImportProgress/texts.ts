/** Texts of ours while an import runs and when it has ended. */
import { counted, grouped } from '@lms-admin/domain/numbers';

const rows = (count: number) => counted(count, 'row', 'rows');
const noneApplied = (count: number) =>
  count === 1 ? 'The row was not applied.' : `None of ${rows(count)} was applied.`;

export const texts = {
  undo: 'Undo this import',
  bar: 'Progress of the import',
  reported: (percent: number) => `The LMS reports ${percent}% done.`,
  leave: 'You can leave this page. The import continues.',
  lost: 'The progress cannot be loaded at the moment. The import may still be running.',
  lostNext: 'LMS Admin keeps checking. Nothing is sent twice.',
  gaveUp: 'LMS Admin has stopped checking this import. It may still be running in the LMS.',
  again: 'Check again',
  attachmentPending: 'If the LMS writes a list of errors, its link appears here.',
  done: (count: number) =>
    count === 1
      ? 'All done: the LMS applied the row that was sent.'
      : `All done: the LMS applied all ${rows(count)} that were sent.`,
  /** The LMS may count a row and still have a remark on it, so that the two figures can be the same. */
  partly: (applied: number, sent: number) =>
    applied < sent
      ? `${grouped(applied)} of ${rows(sent)} were applied. The others were not.`
      : `The LMS applied all ${rows(sent)} and returned messages about some of them.`,
  failed: (applied: number, sent: number) =>
    applied > 0
      ? `The import stopped. ${grouped(applied)} of ${rows(sent)} were applied first.`
      : `The import stopped. ${noneApplied(sent)}`,
  /** The LMS broke it off; what became of the rows was looked up. */
  stopped: (applied: number, sent: number, unknown: number) =>
    (applied > 0
      ? `The import stopped. ${grouped(applied)} of ${rows(sent)} were applied first; the list shows which.`
      : `The import stopped. ${noneApplied(sent)}`) +
    (unknown > 0 ? ` The result of ${rows(unknown)} is unknown.` : ''),
  stoppedUnknown: (sent: number) =>
    `The import stopped. It is unknown how many of ${rows(sent)} were applied.`,
  /** Nothing was said against what was sent; but not all that was reviewed was sent. */
  allSent: (sent: number) =>
    sent === 1
      ? 'The row that was sent was applied. Differences from the review are listed here.'
      : `All ${rows(sent)} that were sent were applied. Differences from the review are listed here.`,
  passedOver: (applied: number, sent: number) =>
    `${grouped(applied)} of ${rows(sent)} were applied. The LMS skipped the others without giving a reason.`,
  none: noneApplied,
  some: 'Some of the rows were applied.',
  inPart: 'Not everything was done',
  nothingSent: 'Nothing was sent',
  nothingToSend: 'There was nothing to send',
  noneCarriedOut: 'No row was applied',
  notKnown: 'The result is unknown',
  next: {
    nothingSent:
      'The LMS has changed since your review, so none of the rows could be sent. The messages say what is different. Start a new review for what you still want to change.',
    brokenOff:
      'The applied rows stay in place. Submit again only the rows that were not applied; you can download them here.',
    brokenOffNone: 'Submit the rows again. If the import stops again, contact IT Support.',
    unknown: 'The applied rows stay in place. You can submit all rows again: applied ones do not change.',
    /** Of people who were to be created: those who are there already are refused. */
    brokenOffPeople: 'The people who were created stay. Submit only the others again.',
    unknownPeople: (canSearch: boolean) =>
      `The people who were created stay. Check ${canSearch ? 'with Search Users' : 'in the LMS'} who was created, and submit only the others again.`,
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
  rowUnknown: 'The LMS did not name the row, or the row is no longer kept.',
  emptyCell: '(empty)',
  close: 'Close',
  downloadRows: 'Download these rows as CSV',
  downloadRowsOf: (file: string) => `Download the rows of ${file} as CSV`,
  more: 'Show more messages',
  noMessages: 'The LMS returned no messages about single rows.',
  messagesFailed: 'The messages could not be loaded.',
} as const;
