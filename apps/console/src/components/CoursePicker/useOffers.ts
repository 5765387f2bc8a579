import { MAX_SELECTED } from '@lms-admin/domain/constants';
import { termsOfProgramme } from '@lms-admin/domain/terms';
import { type Dispatch, useEffect, useMemo } from 'react';
import { useSettings } from '../../api/queries.ts';
import { useProgrammes, useSubAccounts, useTerms } from './lists.ts';
import type { PickerAction, PickerState } from './picker-state.ts';

export type Offers = ReturnType<typeof useOffers>;

/** What can be chosen, next to what is chosen already. Where one account is all there is, it is chosen at once. */
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
  // A programme without accounts below it would be a dead end: it counts as its own sub-account (PICK-21).
  const alone = !isOwn && below.known && below.options.length === 0;
  const accountOptions = isOwn || alone ? (programme ? [programme] : []) : below.options;
  // One account is no choice.
  const only = (isOwn || below.known) && accountOptions.length === 1 ? accountOptions[0] : undefined;
  const toTake = subAccounts.length === 0 ? only : undefined;
  useEffect(() => {
    if (toTake) dispatch({ type: 'sub-accounts', subAccounts: [toTake], most });
  }, [toTake, most, dispatch]);

  return {
    /** How many accounts, and how many terms, may be chosen. */
    most,
    /** Ids of programmes that are their own sub-account. */
    own,
    /** Whether it is known which these are. */
    ready: settings !== null,
    programmes,
    below,
    terms,
    termOptions,
    accountOptions,
    /** Whether the programme has no accounts below it. */
    alone,
    /** The account that is no choice. */
    only,
  };
}
