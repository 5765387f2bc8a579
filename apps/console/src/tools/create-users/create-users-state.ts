/**
 * The administrator's entries and position in Create Users (CU-02 to CU-11). Pure; answers of the LMS are not kept
 * here.
 */
import { createUsersMessages } from '@lms-admin/contract/messages/create-users';
import { MAX_NEW_USERS } from '@lms-admin/domain/constants';
import type { NotTaken } from '@lms-admin/domain/emails';
import { NEW_USER_FIELDS, type NewUser, type NewUserField, normalNewUser } from '@lms-admin/domain/new-users';
import { z } from 'zod';
import { NOT_SUBMITTED } from '../../components/Submission/submission-state.ts';
import {
  NEW_WIZARD,
  submit,
  type WizardAction,
  wizardReducer,
  wizardShape,
} from '../../components/Wizard/wizard-reducer.ts';
import { pasteReport, reportOf } from './paste-report.ts';

/** Steps with Back and Next; the third one is the progress (CU-08). */
export const STEPS = createUsersMessages.steps.length - 1;

const userRow = z.object({
  /** Identifies a row for as long as the form exists. */
  id: z.number().int(),
  psID: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
});
export type UserRow = z.infer<typeof userRow>;
const rows = z.array(userRow).min(1).max(MAX_NEW_USERS);

/** Schema of every part that survives a reload. */
export const createUsersShape = {
  ...wizardShape(STEPS),
  rows,
  /** The rows before the latest change to many rows, for its undo; null when nothing can be undone. */
  undo: z.object({ rows, what: z.enum(['paste', 'clear', 'leave-out']) }).nullable(),
  /** The result of the latest paste; null once it is dismissed or undone. */
  pasted: pasteReport.nullable(),
  simulate: z.boolean(),
};

export type CreateUsersState = {
  [Part in keyof typeof createUsersShape]: z.infer<(typeof createUsersShape)[Part]>;
};

const blank = (id: number): UserRow => ({ id, psID: '', email: '', firstName: '', lastName: '' });

export const EMPTY: CreateUsersState = {
  ...NEW_WIZARD,
  rows: [blank(1)],
  undo: null,
  pasted: null,
  simulate: false,
};

/** Changes to the rows of the form. */
type EditAction =
  | { type: 'field'; id: number; field: NewUserField; value: string }
  /** A field was left: it now contains the value that will be sent. */
  | { type: 'left'; id: number; field: NewUserField }
  | { type: 'add' }
  | { type: 'remove-last' }
  /** Cells of a spreadsheet, from the row with this ID downwards. */
  | { type: 'paste'; id: number; rows: readonly Partial<NewUser>[]; notTaken?: readonly NotTaken[] }
  | { type: 'dismiss' }
  | { type: 'clear' }
  | { type: 'leave-out'; ids: readonly number[] }
  | { type: 'undo' }
  | { type: 'simulate'; on: boolean };

/** The administrator's actions in the steps of this tool. */
export type CreateUsersAction =
  | EditAction
  /** Addresses that another tool could not find. */
  | { type: 'take-over'; emails: readonly string[] }
  /** The people who were not created, as a form to correct. */
  | { type: 'correct'; ids: readonly number[] };

export function createUsersReducer(
  state: CreateUsersState,
  action: CreateUsersAction | WizardAction,
): CreateUsersState {
  switch (action.type) {
    case 'take-over':
      return takeOver(state, action.emails);
    case 'correct':
      return {
        ...EMPTY,
        simulate: state.simulate,
        rows: atLeastOne(state.rows.filter((row) => action.ids.includes(row.id))),
      };
    case 'submit': {
      // The rows themselves are sent. Nothing is prepared on the server, so any key works.
      const sent = submit(state, action.key, STEPS);
      return sent === state ? state : { ...sent, undo: null };
    }
    case 'not-sent': {
      // Returns to the form, which marks existing people; the review cannot.
      const back = wizardReducer(state, action, STEPS);
      return back === state ? state : { ...back, wizard: { ...back.wizard, step: 0 } };
    }
    case 'field':
    case 'left':
    case 'add':
    case 'remove-last':
    case 'paste':
    case 'dismiss':
    case 'clear':
    case 'leave-out':
    case 'undo':
    case 'simulate': {
      // Submitted rows cannot be changed.
      if (state.wizard.view === 'progress') return state;
      const edited = edit(state, action);
      // Changed rows are a new submission.
      return edited.rows === state.rows ? edited : { ...edited, submission: NOT_SUBMITTED };
    }
    default:
      return wizardReducer(state, action, STEPS);
  }
}

function edit(state: CreateUsersState, action: EditAction): CreateUsersState {
  switch (action.type) {
    case 'field':
      return changed(state, action.id, { [action.field]: action.value });
    case 'left': {
      const row = state.rows.find((one) => one.id === action.id);
      if (!row) return state;
      const value = normalNewUser(row)[action.field];
      return value === row[action.field] ? state : changed(state, action.id, { [action.field]: value });
    }
    case 'add':
      if (state.rows.length >= MAX_NEW_USERS) return state;
      return { ...state, rows: [...state.rows, blank(nextId(state.rows))], undo: null };
    case 'remove-last':
      return state.rows.length === 1 ? state : { ...state, rows: state.rows.slice(0, -1), undo: null };
    case 'paste':
      return pastedIn(state, action);
    case 'dismiss':
      return { ...state, pasted: null };
    case 'clear':
      return {
        ...state,
        rows: [blank(nextId(state.rows))],
        undo: { rows: state.rows, what: 'clear' },
        pasted: null,
      };
    case 'leave-out': {
      const left = state.rows.filter((row) => !action.ids.includes(row.id));
      return {
        ...state,
        rows: left.length > 0 ? left : [blank(nextId(state.rows))],
        undo: { rows: state.rows, what: 'leave-out' },
      };
    }
    case 'undo':
      return state.undo === null
        ? state
        : {
            ...state,
            rows: state.undo.rows,
            undo: null,
            pasted: state.undo.what === 'paste' ? null : state.pasted,
          };
    case 'simulate':
      return { ...state, simulate: action.on };
  }
}

function changed(state: CreateUsersState, id: number, change: Partial<NewUser>): CreateUsersState {
  return {
    ...state,
    rows: state.rows.map((row) => (row.id === id ? { ...row, ...change } : row)),
    // Undoing an earlier change would undo this one as well.
    undo: null,
  };
}

function pastedIn(
  state: CreateUsersState,
  { id, rows: pasted, notTaken = [] }: Extract<EditAction, { type: 'paste' }>,
): CreateUsersState {
  const start = Math.max(
    0,
    state.rows.findIndex((row) => row.id === id),
  );
  const taken = pasted.slice(0, MAX_NEW_USERS - start);
  const after = [...state.rows];
  let next = nextId(state.rows);
  for (const [index, cells] of taken.entries()) {
    after[start + index] = { ...(after[start + index] ?? blank(next++)), ...cells };
  }
  return {
    ...state,
    rows: after,
    undo: { rows: state.rows, what: 'paste' },
    pasted: reportOf(after, start, taken.length, [...notTaken], state.pasted),
  };
}

/** Adds new rows for the addresses, after the existing ones; a submission still on screen is replaced. */
function takeOver(state: CreateUsersState, emails: readonly string[]): CreateUsersState {
  const begun = state.wizard.view === 'progress' ? [] : state.rows.filter((row) => !isBlank(row));
  const known = new Set(begun.map((row) => normalNewUser(row).email));
  const fresh = emails.filter((email) => !known.has(email.trim().toLowerCase()));
  const id = nextId(state.rows);
  const added = fresh.map((email, index) => normalRow({ ...blank(id + index), email }));
  return {
    ...EMPTY,
    simulate: state.simulate,
    rows: atLeastOne([...begun, ...added].slice(0, MAX_NEW_USERS)),
  };
}

function normalRow(row: UserRow): UserRow {
  return { ...normalNewUser(row), id: row.id };
}

function atLeastOne(some: readonly UserRow[]): CreateUsersState['rows'] {
  return some.length > 0 ? [...some] : EMPTY.rows;
}

export function isBlank(row: NewUser): boolean {
  return NEW_USER_FIELDS.every((field) => row[field].trim() === '');
}

function nextId(some: readonly UserRow[]): number {
  return Math.max(...some.map((row) => row.id)) + 1;
}
