/** A survey in Qualtrics's two naming schemes (Qualtrics reference §3). */

import { plainText } from '../export/columns.ts';
import { BRAND } from '../seed/users.ts';
import { idOf } from '../store/ids.ts';
import type { Question, Survey, SurveyResponse } from '../store/model.ts';
import { isoTime } from '../store/time.ts';

const time = (ms: number | null) => (ms === null ? null : isoTime(ms));

export function listedJson({ id, name, ownerId, modifiedAt, createdAt, isActive }: Survey): object {
  return { id, name, ownerId, lastModified: isoTime(modifiedAt), creationDate: isoTime(createdAt), isActive };
}

/** Returns a survey as in `GET /surveys/{id}`. @param responses all responses that it has ever had */
export function surveyJson(survey: Survey, responses: readonly SurveyResponse[]): object {
  const { id, name, ownerId, isActive, createdAt, modifiedAt, opensAt, questions, embedded } = survey;
  return {
    id,
    name,
    ownerId,
    organizationId: BRAND,
    isActive,
    creationDate: isoTime(createdAt),
    lastModifiedDate: isoTime(modifiedAt),
    expiration: { startDate: time(opensAt), endDate: null },
    questions: Object.fromEntries(questions.map((question) => [question.id, questionJson(question)])),
    exportColumnMap: Object.fromEntries(
      questions.map((question) => [question.tag, { question: question.id }]),
    ),
    blocks: Object.fromEntries(
      blocksOf(survey).map(({ blockId, page, ids }) => [
        blockId,
        {
          description: `Page ${page}`,
          elements: ids.map((questionId) => ({ type: 'Question', questionId })),
        },
      ]),
    ),
    flow: [
      { type: 'EmbeddedData' },
      ...blocksOf(survey).map(({ blockId }) => ({ id: blockId, type: 'Block' })),
    ],
    embeddedData: embedded,
    comments: {},
    loopAndMerge: {},
    responseCounts: countsOf(responses),
  };
}

/** Returns a survey as in `GET /survey-definitions/{id}`. */
export function definitionJson(survey: Survey): object {
  const { id, name, ownerId, isActive, modifiedAt, createdAt, opensAt, questions, embedded } = survey;
  const blocks = blocksOf(survey);
  return {
    SurveyID: id,
    SurveyName: name,
    SurveyStatus: isActive ? 'Active' : 'Inactive',
    BrandID: BRAND,
    OwnerID: ownerId,
    CreatorID: ownerId,
    LastModified: isoTime(modifiedAt),
    QuestionCount: String(questions.length),
    SurveyOptions: {
      PartialData: '+1 week',
      SurveyLanguage: 'EN',
      SurveyStartDate: time(opensAt),
      SurveyExpirationDate: null,
      SurveyCreationDate: isoTime(createdAt),
    },
    Questions: Object.fromEntries(questions.map((question) => [question.id, definedQuestion(question)])),
    Blocks: Object.fromEntries(
      blocks.map(({ blockId, page, ids }) => [
        blockId,
        {
          Type: page === 1 ? 'Default' : 'Standard',
          Description: `Page ${page}`,
          ID: blockId,
          BlockElements: ids.map((QuestionID) => ({ Type: 'Question', QuestionID })),
        },
      ]),
    ),
    SurveyFlow: {
      Type: 'Root',
      FlowID: 'FL_1',
      Flow: [
        {
          Type: 'EmbeddedData',
          FlowID: 'FL_2',
          EmbeddedData: embedded.map(({ name: Field }) => ({
            Field,
            Type: 'Recipient',
            VariableType: 'String',
          })),
        },
        ...blocks.map(({ blockId }, at) => ({ Type: 'Standard', ID: blockId, FlowID: `FL_${at + 3}` })),
      ],
    },
    ResponseSets: { [idOf('RS', id)]: { Name: 'Default Response Set' } },
    Scoring: { ScoringCategories: [] },
  };
}

function questionJson({ tag, text, choices }: Question): object {
  return {
    questionType: choices
      ? { type: 'MC', selector: 'DL', subSelector: 'TX' }
      : { type: 'TE', selector: 'ML', subSelector: null },
    questionText: text,
    questionName: tag,
    questionLabel: plainText(text),
    validation: { doesForceResponse: false },
    ...(choices
      ? { choices: Object.fromEntries(choices.map((choice) => [choice.id, choiceJson(choice)])) }
      : {}),
  };
}

function choiceJson({ recode, text }: { recode: number; text: string }): object {
  return {
    recode: String(recode),
    description: text,
    choiceText: text,
    imageDescription: null,
    variableName: null,
    analyze: true,
  };
}

function definedQuestion({ id, tag, text, choices }: Question): object {
  return {
    QuestionID: id,
    DataExportTag: tag,
    QuestionText: text,
    QuestionDescription: plainText(text),
    QuestionType: choices ? 'MC' : 'TE',
    Selector: choices ? 'DL' : 'ML',
    Validation: { Settings: { ForceResponse: 'OFF', Type: 'None' } },
    ...(choices
      ? {
          SubSelector: 'TX',
          Choices: Object.fromEntries(choices.map((choice) => [choice.id, { Display: choice.text }])),
          ChoiceOrder: choices.map((choice) => String(choice.id)),
          RecodeValues: Object.fromEntries(choices.map((choice) => [choice.id, String(choice.recode)])),
        }
      : {}),
  };
}

function blocksOf({ id, questions }: Survey) {
  return [1, 2].flatMap((page) => {
    const ids = questions.filter((question) => question.page === page).map((question) => question.id);
    return ids.length === 0 ? [] : [{ blockId: idOf('BL', `${id} ${page}`), page, ids }];
  });
}

/**
 * Counts responses: unfinished responses and spam are `auditable`, previews and tests `generated`; both
 * include deleted ones.
 */
export function countsOf(responses: readonly SurveyResponse[]) {
  const recorded = responses.filter((response) => response.recorded !== null);
  const generated = recorded.filter(({ channel }) => channel === 'preview' || channel === 'test').length;
  const deleted = recorded.filter(({ until }) => until !== null).length;
  return { auditable: recorded.length - generated, generated, deleted };
}
