import { ENTRY_KINDS, type EntryKind, type EntryKindId } from '@lms-admin/domain/chips';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { NotTaken } from '../NotTaken/NotTaken.tsx';
import { useMissing } from '../Wizard/missing-field.ts';
import { ChipList, type EntryDetails } from './ChipList.tsx';
import { ChipsNotices } from './ChipsNotices.tsx';
import { type ChipsState, searchChips } from './chips-state.ts';
import { texts } from './texts.ts';
import { useChips } from './useChips.ts';
import { useLeave } from './useLeave.ts';

/** From this many entries on, the list can be searched. */
const SEARCH_FROM = 13;

// Plain elements with one class each: there may be a hundred of these fields on a screen.
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

const Input = styled('input')(({ theme }) => ({
  boxSizing: 'border-box',
  width: '100%',
  height: 46,
  padding: '0 14px',
  border: 0,
  outline: 0,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  '&::placeholder': { color: theme.vars.palette.text.secondary, opacity: 1 },
}));

export interface ChipsInputProps {
  kind: EntryKindId;
  /** Id of the field, for the focus after a warning. */
  id: string;
  label: string;
  hint: string;
  state: ChipsState;
  onChange: (state: ChipsState) => void;
  /** For a field among many: its name is heard only, and its hint stands inside it. */
  compact?: boolean;
  details?: EntryDetails;
}

/**
 * A field for many entries of a kind, such as e-mail addresses (CE-09 to CE-11) or SIS ids (SE-11): Enter, Tab, a comma, a
 * paste and leaving the field make chips. Tab keeps the focus when it has taken something and leaves otherwise. Stays
 * quick with thousands of entries.
 */
export function ChipsInput(props: ChipsInputProps) {
  const { kind, id, label, hint, state, onChange, compact = false, details } = props;
  const chips = useChips(kind, state, onChange);
  const [wanted, setWanted] = useState('');
  const handleLeave = useLeave(() => chips.confirm());
  const input = useRef<HTMLInputElement>(null);
  const focusLast = useRef<(() => void) | null>(null);
  const searching = state.chips.length >= SEARCH_FROM;
  const ordered = details && searching ? withFirst(state.chips, details.first) : state.chips;
  const shown = searching ? searchChips(ordered, wanted) : ordered;
  const missing = useMissing(id);
  const wrong = chips.notice.problems.length > 0 || missing;
  const described = compact ? `${id}-notice` : `${id}-hint ${id}-notice`;

  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    // Enter that closes an input method's list of words is not meant for the field.
    if (event.nativeEvent.isComposing) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const atStart = selectionStart === 0 && selectionEnd === 0;
    if (isEnd(kind, event.key)) {
      event.preventDefault();
      chips.confirm(event.key === 'Enter' ? '' : event.key);
    } else if (event.key === 'Tab' && !event.shiftKey && state.text.trim() !== '' && !chips.refused) {
      event.preventDefault();
      chips.confirm();
    } else if (event.key === 'Backspace' && state.text === '') {
      chips.removeLast();
    } else if (event.key === 'ArrowLeft' && atStart && shown.length > 0) {
      event.preventDefault();
      focusLast.current?.();
    }
  }

  function handlePaste(event: ClipboardEvent<HTMLInputElement>) {
    const pasted = event.clipboardData.getData('text');
    if (pasted.trim() === '') return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    chips.paste(
      state.text.slice(0, selectionStart ?? state.text.length),
      pasted,
      state.text.slice(selectionEnd ?? state.text.length),
    );
  }

  // Beside the field, and not below a long list, where nobody would see it.
  const became = (
    <>
      <ChipsNotices
        kind={kind}
        id={`${id}-notice`}
        notice={chips.notice}
        removed={chips.removed}
        onUndo={() => {
          chips.undo();
          input.current?.focus();
        }}
      />
      <NotTaken
        pieces={state.notTaken ?? []}
        onDismiss={() => {
          chips.dismiss();
          input.current?.focus();
        }}
      />
    </>
  );

  return (
    <Field>
      {!compact && (
        <>
          <Typography component="label" htmlFor={id} variant="h3">
            {label}
          </Typography>
          <Typography id={`${id}-hint`} variant="body2" color="textSecondary">
            {hint}
          </Typography>
        </>
      )}
      <Frame data-wrong={wrong}>
        <Input
          id={id}
          ref={input}
          type="text"
          value={state.text}
          onChange={(event) => chips.type(event.target.value)}
          onKeyDown={handleKey}
          onPaste={handlePaste}
          onBlur={handleLeave}
          aria-describedby={described}
          aria-invalid={wrong}
          {...(compact && { 'aria-label': label, placeholder: hint })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode={INPUT_MODES[kind]}
        />
        {state.chips.length > 0 && (
          <Box
            sx={{
              borderTop: 1,
              borderColor: 'divider',
              p: 1.5,
              pt: 1,
              display: 'grid',
              gridTemplateColumns: 'minmax(0, 1fr)',
              gap: 1,
            }}
          >
            {became}
            <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, minHeight: 40 }}>
              <Typography variant="h3" component="div" sx={{ flex: '1 1 auto' }}>
                {wanted !== '' && searching
                  ? texts.shown(kind, shown.length, state.chips.length)
                  : (details?.summary ?? texts.list(kind, state.chips.length))}
              </Typography>
              {searching && (
                <OutlinedInput
                  size="small"
                  type="search"
                  placeholder={texts.search}
                  value={wanted}
                  onChange={(event) => setWanted(event.target.value)}
                  inputProps={{ 'aria-label': texts.search }}
                  sx={{ width: { xs: '100%', sm: 220 } }}
                />
              )}
              <Button
                size="small"
                color="inherit"
                onClick={() => {
                  setWanted('');
                  chips.removeAll();
                  input.current?.focus();
                }}
              >
                {texts.removeAll}
              </Button>
            </Box>
            {shown.length === 0 ? (
              <Typography color="textSecondary">{texts.noMatch(kind)}</Typography>
            ) : (
              <ChipList
                chips={shown}
                label={details?.list ?? texts.list(kind, state.chips.length)}
                onRemove={chips.remove}
                details={details}
                onLeave={() => input.current?.focus()}
                focusLast={focusLast}
              />
            )}
          </Box>
        )}
      </Frame>
      {state.chips.length === 0 && became}
    </Field>
  );
}

const INPUT_MODES = { email: 'email', 'sis-id': 'text', 'course-id': 'numeric', host: 'email' } as const;

/** Whether a key ends an entry. Where an entry cannot be told from the words around it, a blank does so too. */
function isEnd(id: EntryKindId, key: string): boolean {
  const kind: EntryKind = ENTRY_KINDS[id];
  return key === 'Enter' || key === ',' || key === ';' || (key === ' ' && kind.read === undefined);
}

/** The same entries, some of them first. */
function withFirst(chips: readonly string[], first: ReadonlySet<string>): readonly string[] {
  if (first.size === 0) return chips;
  return [...chips.filter((chip) => first.has(chip)), ...chips.filter((chip) => !first.has(chip))];
}
