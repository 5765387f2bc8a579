/** Effects of rows of accounts (LMS reference §9.3). */
import { shown } from '../sis-rows.ts';
import {
  begins,
  type Cells,
  changed,
  changeOf,
  fails,
  keptFields,
  notThere,
  type SisEffect,
} from './effect.ts';
import type { Known } from './known.ts';

/** The LMS does not show deleted accounts. */
const BACK =
  'If an account with this SIS ID was deleted, the LMS restores it. The LMS does not show deleted accounts.';

export interface HeldAccount {
  id: number;
  name: string;
  /** SIS ID of the account above; null for the root account, or one without an SIS ID. */
  parent: string | null;
  integrationId: string | null;
}

/** @param held null if the LMS has no such account */
export function accountEffect(cell: Cells, held: HeldAccount | null, known: Known): SisEffect {
  const [id, parent, name] = [
    cell('account_id') ?? '',
    cell('parent_account_id') ?? null,
    cell('name') ?? null,
  ];
  const status = cell('status');
  if (id === '') return { does: 'fails', why: 'The SIS ID of the account is missing.' };
  if (parent !== null && known.account(parent) === false) {
    return fails('parent_account_id', `The LMS has no account ${shown(parent)}.`);
  }
  const deletes = (status ?? '').toLowerCase().includes('deleted');
  if (held === null) {
    const missing = `The LMS has no account ${shown(id)}`;
    if (deletes) return notThere('account_id', `${missing}.`, `${missing}, so nothing is deleted.`);
    if (name === null) return { does: 'fails', why: 'The name is missing.' };
    if (!begins(status, 'active')) return fails('status', 'A new account needs the status active.');
    return {
      does: 'creates',
      why: BACK,
      fields: [
        ['name', null, name],
        ...changed('parent_account_id', null, parent),
        ...changed('integration_id', null, cell('integration_id') ?? null),
      ],
    };
  }
  const fields = [
    ...keptFields(cell, [['name', held.name]]),
    ...changed('parent_account_id', held.parent, parent),
    ...changed('integration_id', held.integrationId, cell('integration_id') ?? null),
  ];
  if (deletes)
    return {
      does: 'deletes',
      why: 'The LMS rejects this while the account contains courses or other accounts.',
      fields,
    };
  return changeOf(fields, 'No change: the account already has these values.');
}
