/** What Qualtrics holds of a school. All that is remembered is JSON. */

/** A column of data that no question asks for: the contact brings it along, or the flow of the survey sets it. */
export type EmbeddedField = { name: string; defaultValue?: string };

export type Choice = { id: number; recode: number; text: string };

export type Question = {
  id: string;
  /** Its name in exports. */
  tag: string;
  /** With HTML, as editors write it. */
  text: string;
  /** Null: an open text. */
  choices: readonly Choice[] | null;
  /** Which page of the survey: who stops half-way has seen the first only. */
  page: 1 | 2;
};

export type Survey = {
  id: string;
  name: string;
  ownerId: string;
  /** Ids of users whom it is shared with. */
  sharedWith: readonly string[];
  isActive: boolean;
  createdAt: number;
  modifiedAt: number;
  opensAt: number | null;
  questions: readonly Question[];
  embedded: readonly EmbeddedField[];
  /** Neither contact nor address nor place is kept. */
  anonymised: boolean;
  /** Another survey whose responses it shows, too. */
  alsoOf?: string;
  /** So many responses that are made when they are asked for, and not remembered. */
  made?: number;
};

/** Numbers of the reference of Qualtrics, §8. */
export type ResponseStatus = 0 | 1 | 2 | 4 | 8 | 9 | 12 | 16 | 17 | 32 | 40 | 48 | 256;

export type SurveyResponse = {
  id: string;
  surveyId: string;
  /** The revision of the store that brought it. */
  from: number;
  /** The revision that took it away; null: none has. */
  until: number | null;
  /** When it came; exports may lag behind. Milliseconds since 1970, as all times here. */
  addedAt: number;
  start: number;
  end: number;
  /** Null: in progress. */
  recorded: number | null;
  modified: number;
  status: ResponseStatus;
  ip: string;
  progress: number;
  /** Seconds. */
  duration: number;
  finished: boolean;
  lastName: string;
  firstName: string;
  email: string;
  reference: string;
  latitude: string;
  longitude: string;
  channel: string;
  language: string;
  /** By the id of the question: the id of a choice, or a text. */
  answers: Readonly<Record<string, number | string>>;
  embedded: Readonly<Record<string, string>>;
};

/** What a new response says; the store adds what is its own. */
export type NewResponse = Omit<SurveyResponse, 'from' | 'until'>;

/** The language of the account: the second header row is in it. */
export type Language = 'EN' | 'DE';

export type ExportFile = { type: string; name: string; bytes: Buffer };

export type ExportOptions = {
  format: 'csv' | 'tsv' | 'json' | 'ndjson';
  useLabels: boolean;
  includeLabelColumns: boolean;
  startDate: number | null;
  endDate: number | null;
  filterId: string | null;
  limit: number | null;
  surveyMetadataIds: readonly string[] | null;
  questionIds: readonly string[] | null;
  embeddedDataIds: readonly string[] | null;
  timeZone: string | null;
  sortByLastModifiedDate: boolean;
  exportResponsesInProgress: boolean;
  compress: boolean;
  seenUnansweredRecode: string | null;
  formatDecimalAsComma: boolean;
  newlineReplacement: string | null;
};

export type ExportJob = {
  id: string;
  surveyId: string;
  userId: string;
  options: ExportOptions;
  /** It holds what the store held at this revision … */
  revision: number;
  /** … and nothing of this revision or before it. */
  since: number | null;
  startedAt: number;
  endsAt: number;
  fileId: string;
  fails: boolean;
  /** Goes with the finished export. */
  continuationToken: string | null;
};

/** What a continuation token represents. */
export type Continuation = { surveyId: string; revision: number; until: number };

export type AccessToken = {
  client: string;
  userId: string;
  scopes: string[];
  expiresAt: number;
  revoked: boolean;
};
