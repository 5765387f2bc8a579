import { MAX_SELECTED } from '@lms-admin/domain/constants';
import { termsOfProgramme } from '@lms-admin/domain/terms';
import { type Dispatch, useEffect, useMemo } from 'react';
import { useSettings } from '../../api/queries.ts';
import { useProgrammes, useSubAccounts, useTerms } from './lists.ts';
import type { PickerAction, PickerState } from './picker-state.ts';

export type Offers = ReturnType<typeof useOffers>;

/** Loads the options for the current choices. An account that is the only option is chosen automatically. */
export function useOffers({ programme, subAccounts }: PickerState, dispatch: Dispatch<PickerAction>) {
  const settings = useSettings();
  const most = settings?.max_selected ?? MAX_SELECTED;
  const programmes = useProgrammes();
  const own = useMemo(() => new Set(settings?.auto_selected_programmes ?? []), [settings]);
  const isOwn = programme !== null && own.has(programme.id);
  const below = useSubAccounts(isOwn ? null : programme);
  const terms = useTerms();
  const termOptions = useMemo(
    () => termsOfProgramme(terms.options, programme?.name ?? ''),
    [terms.options, programme],
  );
  // A programme without accounts below it would be a dead end, so it counts as its own sub-account (PICK-21).
  const alone = !isOwn && below.known && below.options.length === 0;
  const accountOptions = isOwn || alone ? (programme ? [programme] : []) : below.options;
  // A single account leaves nothing to choose.
  const only = (isOwn || below.known) && accountOptions.length === 1 ? accountOptions[0] : undefined;
  const toTake = subAccounts.length === 0 ? only : undefined;
  useEffect(() => {
    if (toTake) dispatch({ type: 'sub-accounts', subAccounts: [toTake], most });
  }, [toTake, most, dispatch]);

  return {
    /** How many accounts and terms can be chosen. */
    most,
    /** IDs of programmes that are their own sub-account. */
    own,
    /** Whether the IDs in `own` are known. */
    ready: settings !== null,
    programmes,
    below,
    terms,
    termOptions,
    accountOptions,
    /** Whether the programme has no accounts below it. */
    alone,
    /** The only account, if there is just one. */
    only,
  };
}
