import { styled } from '@mui/material/styles';
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';

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
  '&:focus': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 0 },
}));

export const cellId = (row: number, column: number) => `mend-${row}-${column}`;

export interface MendCellProps {
  row: number;
  column: number;
  value: string;
  label: string;
  /** What is wrong with it. */
  problem: string;
  onChange: (value: string) => void;
  /** Goes to the next marked cell, or the one before. */
  onMove: (step: 1 | -1) => void;
  /** @returns whether the text was more than one cell, and has been put where it belongs */
  onPasted: (text: string) => boolean;
}

/** A marked cell. What was typed counts once the cell is left; Escape takes it back. */
export function MendCell(props: MendCellProps) {
  const { row, column, value, label, problem, onChange, onMove, onPasted } = props;
  const [typed, setTyped] = useState<string | null>(null);

  function leave() {
    if (typed !== null && typed !== value) onChange(typed);
    setTyped(null);
  }

  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'Enter' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
    if (event.key === 'Escape') setTyped(null);
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
    setTyped(null);
  }

  return (
    <Input
      id={cellId(row, column)}
      aria-label={label}
      aria-invalid={problem !== ''}
      aria-description={problem}
      title={problem}
      autoComplete="off"
      spellCheck={false}
      value={typed ?? value}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={leave}
      onKeyDown={handleKey}
      onPaste={handlePaste}
    />
  );
}
