/** Texts of ours while an import runs and when it has ended. */
const n = (count: number) => count.toLocaleString('en-GB');
const rows = (count: number) => `${n(count)} ${count === 1 ? 'row' : 'rows'}`;

export const texts = {
  undo: 'Undo this import',
  bar: 'Progress of the import',
  reported: (percent: number) => `The LMS reports ${percent}% done.`,
  leave: 'You may leave this page: the import goes on, and is followed to its end.',
  lost: 'The import cannot be seen at the moment. It may still be running.',
  lostNext: 'It is looked for again by itself; nothing is sent twice.',
  gaveUp: 'Following the import was given up for now. It may still be running.',
  again: 'Check again',
  attachmentPending: 'The LMS may still write a list of errors; its link then appears here.',
  done: (count: number) =>
    count === 1
      ? 'All done: the LMS took the row that was sent.'
      : `All done: the LMS took all ${rows(count)} that were sent.`,
  /** The LMS may count a row and still have a remark on it, so that the two figures can be the same. */
  partly: (applied: number, sent: number) =>
    applied < sent
      ? `${n(applied)} of ${rows(sent)} were applied, the others were not.`
      : `The LMS counts all ${rows(sent)} as applied, but has remarks on some of them.`,
  failed: (applied: number, sent: number) =>
    applied > 0
      ? `The import stopped. ${n(applied)} of ${rows(sent)} were applied before.`
      : `The import stopped. Of ${rows(sent)} none was applied.`,
  /** The LMS broke it off; what became of the rows was looked up. */
  stopped: (applied: number, sent: number, unknown: number) =>
    (applied > 0
      ? `The import stopped. ${n(applied)} of ${rows(sent)} were applied before; the list says which.`
      : `The import stopped. Of ${rows(sent)} none was applied.`) +
    (unknown > 0 ? ` Of ${rows(unknown)} it is not known.` : ''),
  stoppedUnknown: (sent: number) =>
    `The import stopped. How many of ${rows(sent)} were applied before is not known.`,
  /** Nothing was said against what was sent; but not all that was reviewed was sent. */
  allSent: (sent: number) =>
    sent === 1
      ? 'The row that was sent was applied; what differs from the review is said here.'
      : `All ${rows(sent)} that were sent were applied; what differs from the review is said here.`,
  passedOver: (applied: number, sent: number) =>
    `${n(applied)} of ${rows(sent)} were applied; the LMS passed over the others and did not say why.`,
  none: (sent: number) => `Of ${rows(sent)} none was applied.`,
  some: 'A part of the rows was applied.',
  inPart: 'Not everything was done',
  nothingSent: 'Nothing was sent',
  noneCarriedOut: 'No row was carried out',
  notKnown: 'It is not known whether it was done',
  next: {
    nothingSent:
      'Others have changed the LMS since your review, so none of its rows could be sent as reviewed. The messages say what has changed. Start a new review for what you still want to change.',
    brokenOff:
      'What was applied stays. Submit only the rows that were not applied again; they can be downloaded here.',
    unknown:
      'What was applied stays. The same rows may be submitted again: for those that were applied it changes nothing.',
    /** Of people who were to be created: those who are there already are refused. */
    brokenOffPeople: 'What was applied stays. Submit only the people who were not created again.',
    unknownPeople:
      'What was applied stays. Look the people up with Search Users, and submit only those who are not in the LMS again.',
    partly:
      'What was applied stays. Look at the messages, correct what they name, and submit only that again.',
    failed:
      'Look at the messages. If they name people or courses, correct those and submit again; else please contact IT Support.',
  },
  nextSilent: 'The LMS gave no message about it. Please contact IT Support.',
  nothingImported: 'Nothing was imported.',
  messages: 'Messages for each row',
  row: 'Row',
  file: 'File',
  cells: 'Contents of the row',
  message: 'Message',
  details: 'Details',
  show: 'Show',
  showRow: (row: number | null) => (row === null ? 'Show the message' : `Show row ${n(row)}`),
  rowTitle: (row: number | null, file: string | null) =>
    [row === null ? 'Message' : `Row ${n(row)}`, ...(file === null ? [] : [file])].join(' · '),
  rowUnknown: 'The LMS did not say which row this is about, or the row is not kept any more.',
  emptyCell: '(empty)',
  close: 'Close',
  downloadRows: 'Download these rows as CSV',
  downloadRowsOf: (file: string) => `Download the rows of ${file} as CSV`,
  more: 'Show more messages',
  noMessages: 'The LMS gave no message for a single row.',
  messagesFailed: 'The messages could not be loaded.',
} as const;
