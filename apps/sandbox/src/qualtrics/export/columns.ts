/** The columns of an export (Qualtrics reference §6), and each response's values in them. */

import type {
  Choice,
  ExportOptions,
  Language,
  Question,
  ResponseStatus,
  Survey,
  SurveyResponse,
} from '../store/model.ts';
import { isoTime } from '../store/time.ts';

/** A value as in JSON; null if none. A time is in milliseconds. */
export type Value = string | number | null;

export type Column = {
  kind: 'metadata' | 'question' | 'embedded';
  /** The name that selects the column in a request body. */
  selector: string;
  /** First header row. */
  name: string;
  /** Second header row, in the account's languages. */
  words: Readonly<Record<Language, string>>;
  /** Third header row, and the key in JSON. */
  importId: string;
  isTime?: boolean;
  isDecimal?: boolean;
  question?: Question;
  value: (response: SurveyResponse) => Value;
  /** The label of a coded value. */
  label?: (response: SurveyResponse) => string;
};

export const STATUS_WORDS: Readonly<Record<ResponseStatus, string>> = {
  0: 'IP Address',
  1: 'Survey Preview',
  2: 'Survey Test',
  4: 'Imported',
  8: 'Spam',
  9: 'Survey Preview Spam',
  12: 'Imported Spam',
  16: 'Offline',
  17: 'Offline Survey Preview',
  32: 'EX',
  40: 'EX Spam',
  48: 'EX Offline',
  256: 'Synthetic',
};

type Read = Column['value'];

function metadata(
  name: string,
  EN: string,
  DE: string,
  importId: string,
  value: Read,
  more: Partial<Column> = {},
): Column {
  return { kind: 'metadata', selector: importId, name, words: { EN, DE }, importId, value, ...more };
}

const time = { isTime: true };
const decimal = { isDecimal: true };

/** Metadata columns, in order; anonymised responses have none about identity or place. */
const METADATA: readonly Column[] = [
  metadata('StartDate', 'Start Date', 'Startdatum', 'startDate', ({ start }) => start, time),
  metadata('EndDate', 'End Date', 'Enddatum', 'endDate', ({ end }) => end, time),
  metadata('Status', 'Response Type', 'Antworttyp', 'status', ({ status }) => status, {
    label: ({ status }) => STATUS_WORDS[status],
  }),
  metadata('IPAddress', 'IP Address', 'IP-Adresse', 'ipAddress', ({ ip }) => ip),
  metadata('Progress', 'Progress', 'Fortschritt', 'progress', ({ progress }) => progress),
  metadata(
    'Duration (in seconds)',
    'Duration (in seconds)',
    'Dauer (in Sekunden)',
    'duration',
    (of) => of.duration,
  ),
  metadata('Finished', 'Finished', 'Beendet', 'finished', ({ finished }) => (finished ? 1 : 0), {
    label: ({ finished }) => (finished ? 'True' : 'False'),
  }),
  metadata('RecordedDate', 'Recorded Date', 'Aufzeichnungsdatum', 'recordedDate', (of) => of.recorded, time),
  metadata('ResponseId', 'Response ID', 'Antwort-ID', '_recordId', ({ id }) => id),
  metadata(
    'RecipientLastName',
    'Recipient Last Name',
    'Nachname des Empfängers',
    'recipientLastName',
    (of) => of.lastName,
  ),
  metadata(
    'RecipientFirstName',
    'Recipient First Name',
    'Vorname des Empfängers',
    'recipientFirstName',
    (of) => of.firstName,
  ),
  metadata(
    'RecipientEmail',
    'Recipient Email',
    'E-Mail des Empfängers',
    'recipientEmail',
    ({ email }) => email,
  ),
  metadata(
    'ExternalReference',
    'External Data Reference',
    'Externe Datenreferenz',
    'externalDataReference',
    (of) => of.reference,
  ),
  metadata(
    'LocationLatitude',
    'Location Latitude',
    'Breitengrad',
    'locationLatitude',
    (of) => of.latitude,
    decimal,
  ),
  metadata(
    'LocationLongitude',
    'Location Longitude',
    'Längengrad',
    'locationLongitude',
    (of) => of.longitude,
    decimal,
  ),
  metadata(
    'DistributionChannel',
    'Distribution Channel',
    'Verteilungskanal',
    'distributionChannel',
    (of) => of.channel,
  ),
  metadata('UserLanguage', 'User Language', 'Benutzersprache', 'userLanguage', ({ language }) => language),
];

const MODIFIED = metadata(
  'LastModifiedDate',
  'Last Modified Date',
  'Änderungsdatum',
  'lastModifiedDate',
  (of) => of.modified,
  time,
);

const PERSONAL = new Set([
  'ipAddress',
  'recipientLastName',
  'recipientFirstName',
  'recipientEmail',
  'externalDataReference',
  'locationLatitude',
  'locationLongitude',
]);

/** Returns all columns of a survey. @param withModified adds the time of the last change */
export function columnsOf(survey: Survey, withModified = false): Column[] {
  const known = survey.anonymised ? METADATA.filter(({ importId }) => !PERSONAL.has(importId)) : METADATA;
  return [
    ...known,
    ...(withModified ? [MODIFIED] : []),
    ...survey.questions.map(questionColumn),
    ...survey.embedded.map(
      ({ name }): Column => ({
        kind: 'embedded',
        selector: name,
        name,
        words: { EN: name, DE: name },
        importId: name,
        value: ({ embedded }) => embedded[name] ?? '',
      }),
    ),
  ];
}

/** Returns the columns to export: all columns of the kind if the list is missing, none if it is empty. */
export function wantedColumns(survey: Survey, options: ExportOptions): Column[] {
  const lists = {
    metadata: options.surveyMetadataIds,
    question: options.questionIds,
    embedded: options.embeddedDataIds,
  };
  return columnsOf(survey, options.sortByLastModifiedDate).filter(
    ({ kind, selector }) => lists[kind]?.includes(selector) ?? true,
  );
}

/** Returns whether a question was shown: voters who stopped halfway saw only the first page. */
export function wasSeen({ finished }: SurveyResponse, { page }: Question): boolean {
  return finished || page === 1;
}

export function plainText(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '');
}

/** Returns a time as in JSON; only the recording time has milliseconds. */
export function jsonTime(ms: number, importId: string): string {
  return importId === 'recordedDate' ? new Date(ms).toISOString() : isoTime(ms);
}

function questionColumn(question: Question): Column {
  const { id, tag, text, choices } = question;
  const words = plainText(text);
  const common = {
    kind: 'question',
    selector: id,
    name: tag,
    words: { EN: words, DE: words },
    question,
  } as const;
  if (!choices) return { ...common, importId: `${id}_TEXT`, value: ({ answers }) => answers[id] ?? '' };
  const byId = new Map(choices.map((choice) => [choice.id, choice]));
  const chosen = ({ answers }: SurveyResponse): Choice | undefined => byId.get(Number(answers[id]));
  return {
    ...common,
    importId: id,
    value: (response) => chosen(response)?.recode ?? null,
    label: (response) => plainText(chosen(response)?.text ?? ''),
  };
}
