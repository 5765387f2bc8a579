import { styled } from '@mui/material/styles';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';

const Input = styled('input')(({ theme }) => ({
  boxSizing: 'border-box',
  width: '100%',
  height: 32,
  padding: '0 8px',
  font: 'inherit',
  color: 'inherit',
  backgroundColor: theme.vars.palette.surface.warning,
  border: `1px solid ${theme.vars.palette.warning.main}`,
  borderRadius: theme.shape.borderRadius,
  // A corrected cell, which can be changed again.
  '&[aria-invalid="false"]': { backgroundColor: 'transparent', borderColor: theme.vars.palette.divider },
  '&:focus': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 0 },
}));

export const cellId = (row: number, column: number) => `correct-${row}-${column}`;

export interface CorrectionCellProps {
  row: number;
  column: number;
  value: string;
  label: string;
  /** What is wrong with it; empty for a cell that was corrected. */
  problem: string;
  onChange: (value: string) => void;
  /** Goes to the next marked cell, or the one before. */
  onMove: (step: 1 | -1) => void;
  /** @returns whether the text was more than one cell, and has been put where it belongs */
  onPasted: (text: string) => boolean;
}

/** A cell with a problem, or one that was corrected. What was typed counts once the cell is left; Escape takes it back. */
export function CorrectionCell(props: CorrectionCellProps) {
  const { row, column, value, label, problem, onChange, onMove, onPasted } = props;
  const [typed, setTyped] = useState<string | null>(null);
  // A key that leaves the cell also moves the focus, before the screen knows of the first: what was typed counts once.
  const unsent = useRef<string | null>(null);

  function type(text: string | null) {
    unsent.current = text;
    setTyped(text);
  }

  function leave() {
    const text = unsent.current;
    type(null);
    if (text !== null && text !== value) onChange(text);
  }

  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'Enter' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
    if (event.key === 'Escape') type(null);
    else if (step === null) return;
    else {
      leave();
      onMove(step);
    }
    event.preventDefault();
  }

  function handlePaste(event: ClipboardEvent<HTMLInputElement>) {
    if (!onPasted(event.clipboardData.getData('text'))) return;
    event.preventDefault();
    type(null);
  }

  return (
    <Input
      id={cellId(row, column)}
      aria-label={label}
      aria-invalid={problem !== ''}
      {...(problem !== '' && { 'aria-description': problem, title: problem })}
      autoComplete="off"
      spellCheck={false}
      value={typed ?? value}
      onChange={(event) => type(event.target.value)}
      onBlur={leave}
      onKeyDown={handleKey}
      onPaste={handlePaste}
    />
  );
}
