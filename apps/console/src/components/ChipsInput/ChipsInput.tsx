import type { EntryKindId } from '@lms-admin/domain/chips';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useCallback, useRef, useState } from 'react';
import { NotTaken } from '../NotTaken/NotTaken.tsx';
import { useMissing } from '../Wizard/missing-field.ts';
import type { EntryDetails } from './ChipList.tsx';
import { ChipsBox, useShownChips } from './ChipsBox.tsx';
import { ChipsNotices } from './ChipsNotices.tsx';
import type { ChipsState } from './chips-state.ts';
import { EntryInput } from './EntryInput.tsx';
import type { OpenList, SuggestionKeys, Suggests } from './suggestions.ts';
import { useChips } from './useChips.ts';

// Plain elements with one class each: a screen may have a hundred of these fields.
const Field = styled('div')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 6 });

const Frame = styled('div')(({ theme }) => ({
  border: `1px solid ${theme.vars.palette.surface.outline}`,
  borderRadius: theme.shape.borderRadius,
  backgroundColor: theme.vars.palette.background.paper,
  '&:has(input:focus)': {
    borderColor: theme.vars.palette.primary.main,
    boxShadow: `0 0 0 1px ${theme.vars.palette.primary.main}`,
  },
  '&[data-wrong="true"]': { borderColor: theme.vars.palette.error.main },
}));

export interface ChipsInputProps {
  kind: EntryKindId;
  /** ID of the field, for the focus after a warning. */
  id: string;
  label: string;
  hint: string;
  state: ChipsState;
  onChange: (state: ChipsState) => void;
  /** For a field among many: its label is for screen readers only, and its hint is inside it. */
  compact?: boolean;
  details?: EntryDetails;
  /** Suggestions below the field during typing. */
  suggests?: Suggests;
}

/**
 * A field for many entries of a kind, such as email addresses (CE-09 to CE-11) or SIS IDs (SE-11): Enter, Tab, a comma,
 * a paste and leaving the field create chips. Tab keeps the focus if it has created a chip and leaves otherwise. Stays
 * fast with thousands of entries.
 */
export function ChipsInput(props: ChipsInputProps) {
  const { kind, id, label, hint, state, onChange, compact = false, details, suggests } = props;
  const chips = useChips(kind, state, onChange);
  const list = useShownChips(state.chips, details);
  const input = useRef<HTMLInputElement>(null);
  const focusLast = useRef<(() => void) | null>(null);
  const keys = useRef<SuggestionKeys | null>(null);
  const setKeys = useCallback((next: SuggestionKeys | null) => {
    keys.current = next;
  }, []);
  const [open, setOpen] = useState<OpenList | null>(null);
  const missing = useMissing(id);
  const wrong = chips.notice.problems.length > 0 || missing;
  const toField = () => input.current?.focus();

  /** Moves focus to the field after an action that removes its own button. */
  const andToField = (act: () => void) => () => {
    act();
    toField();
  };
  const became = <Became kind={kind} id={id} state={state} chips={chips} andToField={andToField} />;

  return (
    <Field>
      {!compact && <FieldHead id={id} label={label} hint={hint} />}
      <Frame data-wrong={wrong}>
        <EntryInput
          kind={kind}
          id={id}
          input={input}
          text={state.text}
          chips={chips}
          wrong={wrong}
          described={compact ? `${id}-notice` : `${id}-hint ${id}-notice`}
          inside={compact ? { 'aria-label': label, placeholder: hint } : null}
          onToChips={list.shown.length > 0 ? () => focusLast.current?.() : null}
          keys={keys}
          open={suggests ? open : undefined}
        />
        {suggests?.offers(state.text) && (
          <suggests.List
            kind={kind}
            text={state.text}
            chips={state.chips}
            field={input}
            onKeys={setKeys}
            onOpen={setOpen}
            onChoose={(entry) => chips.paste('', entry, '')}
          />
        )}
        {state.chips.length > 0 && (
          <ChipsBox
            kind={kind}
            count={state.chips.length}
            list={list}
            onRemove={chips.remove}
            onRemoveAll={andToField(chips.removeAll)}
            details={details}
            onLeave={toField}
            focusLast={focusLast}
          >
            {became}
          </ChipsBox>
        )}
      </Frame>
      {state.chips.length === 0 && became}
    </Field>
  );
}

function FieldHead({ id, label, hint }: Pick<ChipsInputProps, 'id' | 'label' | 'hint'>) {
  return (
    <>
      <Typography component="label" htmlFor={id} variant="h3">
        {label}
      </Typography>
      <Typography id={`${id}-hint`} variant="body2" color="textSecondary">
        {hint}
      </Typography>
    </>
  );
}

interface BecameProps extends Pick<ChipsInputProps, 'kind' | 'id' | 'state'> {
  chips: ReturnType<typeof useChips>;
  andToField: (act: () => void) => () => void;
}

/** The result of the last entry, beside the field because it would be missed below a long list. */
function Became({ kind, id, state, chips, andToField }: BecameProps) {
  return (
    <>
      <ChipsNotices
        kind={kind}
        id={`${id}-notice`}
        notice={chips.notice}
        removed={chips.removed}
        onUndo={andToField(chips.undo)}
      />
      <NotTaken pieces={state.notTaken ?? []} onDismiss={andToField(chips.dismiss)} />
    </>
  );
}
