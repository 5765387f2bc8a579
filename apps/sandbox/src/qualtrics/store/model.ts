/** The data that Qualtrics stores for a school. The saved parts are JSON. */

/** A data column without a question: the value comes from the contact or is set by the survey flow. */
export type EmbeddedField = { name: string; defaultValue?: string };

export type Choice = { id: number; recode: number; text: string };

export type Question = {
  id: string;
  /** Name of the question in exports. */
  tag: string;
  /** HTML, as written in the editor. */
  text: string;
  /** Null for an open text. */
  choices: readonly Choice[] | null;
  /** The page of the survey with the question; voters who stop halfway have seen only the first page. */
  page: 1 | 2;
};

export type Survey = {
  id: string;
  name: string;
  ownerId: string;
  /** IDs of users with whom the survey is shared. */
  sharedWith: readonly string[];
  isActive: boolean;
  createdAt: number;
  modifiedAt: number;
  opensAt: number | null;
  questions: readonly Question[];
  embedded: readonly EmbeddedField[];
  /** Whether contact, address and place are omitted. */
  anonymised: boolean;
  /** Another survey whose responses this one also shows. */
  alsoOf?: string;
  /** How many responses are generated on request and not saved. */
  generated?: number;
};

/** Numbers from §8 of the Qualtrics reference. */
export type ResponseStatus = 0 | 1 | 2 | 4 | 8 | 9 | 12 | 16 | 17 | 32 | 40 | 48 | 256;

export type SurveyResponse = {
  id: string;
  surveyId: string;
  /** The revision of the store that added the response. */
  from: number;
  /** The revision that deleted the response; null if it was not deleted. */
  until: number | null;
  /** Time of arrival; exports may lag behind. Milliseconds since 1970, like all times here. */
  addedAt: number;
  start: number;
  end: number;
  /** Null while the response is in progress. */
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
  /** By question ID: the ID of a choice, or a text. */
  answers: Readonly<Record<string, number | string>>;
  embedded: Readonly<Record<string, string>>;
};

/** Fields of a new response; the store adds its own. */
export type NewResponse = Omit<SurveyResponse, 'from' | 'until'>;

/** The language of the account, used in the second header row. */
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
  /** The export contains the responses that the store had at this revision … */
  revision: number;
  /** … without those up to this revision; null: all of them. */
  since: number | null;
  startedAt: number;
  endsAt: number;
  fileId: string;
  fails: boolean;
  /** Returned with the finished export. */
  continuationToken: string | null;
};

/** The position that a continuation token represents. */
export type Continuation = { surveyId: string; revision: number; until: number };

export type AccessToken = {
  client: string;
  userId: string;
  scopes: string[];
  expiresAt: number;
  revoked: boolean;
};
