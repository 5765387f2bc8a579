import Button from '@mui/material/Button';
import { useEffect, useMemo } from 'react';
import { useProfile } from '../../api/session.ts';
import { type LastChoice as Choice, lastChoice, rememberChoice } from './last-choice.ts';
import type { Named, PickerState } from './picker-state.ts';
import { texts } from './texts.ts';

export interface LastChoiceProps {
  state: PickerState;
  /** The programmes that can be chosen now. */
  programmes: readonly Named[];
  terms: readonly Named[];
  /** IDs of programmes that are their own sub-account. */
  own: ReadonlySet<number>;
  onTake: (choice: Choice) => void;
}

/** Offers the last programme and terms while no programme is chosen, and stores them once courses are chosen. */
export function LastChoice({ state, programmes, terms, own, onTake }: LastChoiceProps) {
  const { email } = useProfile().sub_account;
  const { programme, subAccounts, terms: chosen, courses } = state;
  const any = courses.length > 0;
  useEffect(() => {
    if (any && programme !== null) rememberChoice(email, { programme, subAccounts, terms: chosen });
  }, [email, any, programme, subAccounts, chosen]);

  const offer = useMemo(
    () => (programme === null ? lastChoice(email, programmes, terms, own) : null),
    [programme, email, programmes, terms, own],
  );
  if (offer === null) return null;
  const names = [offer.programme, ...offer.terms].map(({ name }) => name);
  return (
    <Button variant="outlined" color="inherit" sx={{ justifySelf: 'start' }} onClick={() => onTake(offer)}>
      {texts.asLastTime(names.join(' · '))}
    </Button>
  );
}
