import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputBase from '@mui/material/InputBase';
import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { InfoIcon, LookIcon, StopIcon } from '../Icons.tsx';
import { ChipList } from './ChipList.tsx';
import { type ChipsState, searchChips } from './chips-state.ts';
import { texts } from './texts.ts';
import { useChips } from './useChips.ts';
import { useLeave } from './useLeave.ts';

/** From this many addresses on, the list can be searched. */
const SEARCH_FROM = 13;
const MOST_PROBLEMS_SHOWN = 5;

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
  /** Id of the field, for the focus after a warning. */
  id: string;
  label: string;
  hint: string;
  state: ChipsState;
  onChange: (state: ChipsState) => void;
}

/**
 * A field for many e-mail addresses (CE-09 to CE-11): Enter, Tab, a comma, a paste and leaving the field make chips.
 * Tab keeps the focus when it has taken something and leaves otherwise. Stays quick with thousands of addresses.
 */
export function ChipsInput({ id, label, hint, state, onChange }: ChipsInputProps) {
  const chips = useChips(state, onChange);
  const [wanted, setWanted] = useState('');
  const handleLeave = useLeave(() => void chips.confirm());
  const input = useRef<HTMLInputElement>(null);
  const focusLast = useRef<(() => void) | null>(null);
  const searching = state.chips.length >= SEARCH_FROM;
  const shown = searching ? searchChips(state.chips, wanted) : state.chips;
  const { problems, known, unread } = chips.notice;
  const wrong = problems.length > 0;

  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    // Enter that closes an input method's list of words is not meant for the field.
    if (event.nativeEvent.isComposing) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const atStart = selectionStart === 0 && selectionEnd === 0;
    if (event.key === 'Enter' || event.key === ',' || event.key === ';') {
      event.preventDefault();
      chips.confirm();
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

  return (
    <Box sx={{ display: 'grid', gap: 0.75 }}>
      <Typography component="label" htmlFor={id} variant="h3">
        {label}
      </Typography>
      <Typography id={`${id}-hint`} variant="body2" color="textSecondary">
        {hint}
      </Typography>
      <Frame data-wrong={wrong}>
        <InputBase
          id={id}
          inputRef={input}
          fullWidth
          value={state.text}
          onChange={(event) => chips.type(event.target.value)}
          onKeyDown={handleKey}
          onPaste={handlePaste}
          onBlur={handleLeave}
          inputProps={{
            'aria-describedby': `${id}-hint ${id}-notice`,
            'aria-invalid': wrong,
            autoComplete: 'off',
            autoCapitalize: 'none',
            spellCheck: false,
            inputMode: 'email',
          }}
          sx={{ px: 1.75, minHeight: 48 }}
        />
        {state.chips.length > 0 && (
          <Box sx={{ borderTop: 1, borderColor: 'divider', p: 1.5, pt: 1, display: 'grid', gap: 1 }}>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, minHeight: 40 }}>
              <Typography variant="h3" component="p" sx={{ flex: '1 1 auto' }}>
                {wanted !== '' && searching
                  ? texts.shown(shown.length, state.chips.length)
                  : texts.list(state.chips.length)}
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
              <Typography color="textSecondary">{texts.noMatch}</Typography>
            ) : (
              <ChipList
                chips={shown}
                label={texts.list(state.chips.length)}
                onRemove={chips.remove}
                onLeave={() => input.current?.focus()}
                focusLast={focusLast}
              />
            )}
          </Box>
        )}
      </Frame>
      <Box id={`${id}-notice`} sx={{ display: 'grid', gap: 0.5, typography: 'body2' }}>
        {problems.slice(0, MOST_PROBLEMS_SHOWN).map((text) => (
          <Line key={text} tone="error.main" icon={<StopIcon size={18} />} text={text} />
        ))}
        {problems.length > MOST_PROBLEMS_SHOWN && (
          <span>{texts.moreProblems(problems.length - MOST_PROBLEMS_SHOWN)}</span>
        )}
        {unread.length > 0 && (
          <Line tone="warning.main" icon={<LookIcon size={18} />} text={texts.unread(unread)} />
        )}
        {known > 0 && <Line tone="text.secondary" icon={<InfoIcon size={18} />} text={texts.known(known)} />}
        {chips.removed.length > 0 && (
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            {chips.removed.length === 1
              ? texts.removed(chips.removed[0] ?? '')
              : texts.removedAll(chips.removed.length)}
            <Button
              size="small"
              onClick={() => {
                chips.undo();
                input.current?.focus();
              }}
            >
              {texts.undo}
            </Button>
          </Box>
        )}
      </Box>
    </Box>
  );
}

function Line({ tone, icon, text }: { tone: string; icon: React.ReactNode; text: string }) {
  return (
    <Box
      sx={{
        display: 'flex',
        gap: 0.75,
        color: tone,
        overflowWrap: 'anywhere',
        '& svg': { flex: 'none', mt: '1px' },
      }}
    >
      {icon}
      <span>{text}</span>
    </Box>
  );
}
