import { parentName } from '@lms-admin/domain/courses';
import Box from '@mui/material/Box';
import type { Dispatch } from 'react';
import { ErrorState } from '../States/ErrorState.tsx';
import { ManyField, OneField } from './LateFields.tsx';
import { PICKER_FIELDS, type PickerAction, type PickerState } from './picker-state.ts';
import { texts } from './texts.ts';
import type { Offers } from './useOffers.ts';

/** The parent shown for a programme directly below the root (PICK-09). */
const NO_PARENT = parentName({ parent_account_id: null }, new Map());

/** The three choices on one line if there is space; the terms get most of it, as there may be ten. */
const FIELDS = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr)) minmax(0, 1.5fr)' },
  // Empty hints keep the fields aligned; stacked fields need no alignment.
  '& .MuiFormHelperText-root:has(.notranslate)': { display: { xs: 'none', md: 'block' } },
} as const;

/** The documented names of two fields in some tools, shown even while the fields are disabled. */
export interface PickerLabels {
  subAccounts: string;
  noSubAccounts: string;
  noTerms: string;
}

interface PickerFieldsProps {
  state: PickerState;
  dispatch: Dispatch<PickerAction>;
  offers: Offers;
  labels: PickerLabels | undefined;
}

/** Programme, sub-accounts and terms. */
export function PickerFields({ state, dispatch, offers, labels }: PickerFieldsProps) {
  const { programme, subAccounts } = state;
  const { most, own, programmes, below, terms, only } = offers;
  return (
    <Box sx={FIELDS}>
      <OneField
        id={PICKER_FIELDS.programme}
        label={texts.programme}
        usualParent={NO_PARENT}
        options={programmes.options}
        value={programme}
        onChange={(next) =>
          dispatch({
            type: 'programme',
            programme: next,
            ownSubAccount: next !== null && own.has(next.id),
          })
        }
        loading={programmes.loading}
        disabled={!offers.ready}
        hint={isEmpty(programmes) ? texts.noProgrammes : NO_HINT}
      />
      <ManyField
        id={PICKER_FIELDS.subAccounts}
        label={(labels && (programme ? labels.subAccounts : labels.noSubAccounts)) ?? texts.subAccounts}
        usualParent={programme?.name ?? NO_PARENT}
        options={offers.accountOptions}
        value={subAccounts}
        most={most}
        onChange={(chosen) => dispatch({ type: 'sub-accounts', subAccounts: chosen, most })}
        loading={below.loading}
        disabled={programme === null}
        readOnly={only !== undefined && subAccounts.every(({ id }) => id === only.id)}
        hint={accountsHint(state, offers)}
      />
      <ManyField
        id={PICKER_FIELDS.terms}
        label={(labels && !programme && labels.noTerms) || texts.terms}
        options={offers.termOptions}
        value={state.terms}
        most={most}
        onChange={(chosen) => dispatch({ type: 'terms', terms: chosen, most })}
        loading={terms.loading}
        disabled={subAccounts.length === 0}
        hint={termsHint(state, offers)}
      />
    </Box>
  );
}

/** Keeps an empty line below a field, so that all fields have the same height. */
const NO_HINT = ' ';

function accountsHint({ programme }: PickerState, { alone, only }: Offers): string {
  if (programme === null) return texts.programmeFirst;
  if (alone) return texts.noSubAccounts;
  return only ? texts.ownSubAccount : NO_HINT;
}

function termsHint({ programme, subAccounts }: PickerState, { terms, termOptions }: Offers): string {
  if (programme === null) return texts.programmeFirst;
  if (subAccounts.length === 0) return texts.subAccountsFirst;
  return isEmpty({ ...terms, options: termOptions }) ? texts.noTerms : NO_HINT;
}

/** Tells whether a list is loaded and has nothing to choose from. */
function isEmpty(list: { loading: boolean; error: unknown; options: readonly unknown[] }): boolean {
  return !list.loading && list.error === null && list.options.length === 0;
}

/** The lists of choices that could not be loaded. */
export function BrokenOffers({ offers }: { offers: Offers }) {
  const { programmes, below, terms } = offers;
  const broken = (
    [
      [programmes, texts.failed.programmes],
      [below, texts.failed.subAccounts],
      [terms, texts.failed.terms],
    ] as const
  ).filter(([{ error }]) => error !== null);

  /** Loads all lists again after one press, since usually one cause breaks all of them. */
  function handleRetry() {
    for (const [{ retry }] of broken) retry();
  }

  return broken.map(([{ error }, title]) => (
    <ErrorState key={title} error={error} title={title} onRetry={handleRetry} />
  ));
}
