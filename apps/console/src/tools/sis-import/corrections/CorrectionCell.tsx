import { styled } from '@mui/material/styles';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';

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
  /** The problem of the cell; empty for a corrected one. */
  problem: string;
  onChange: (value: string) => void;
  /** Goes to the next marked cell, or the previous one. */
  onMove: (step: 1 | -1) => void;
  /** @returns whether the text contained several cells, which have been distributed to the fields */
  onPasted: (text: string) => boolean;
}

/**
 * A cell with a problem, or a corrected one. A typed value is used when the cell is left or disappears; Escape
 * discards it.
 */
export function CorrectionCell(props: CorrectionCellProps) {
  const { row, column, value, label, problem, onChange, onMove, onPasted } = props;
  const [typed, setTyped] = useState<string | null>(null);
  // A key that leaves the cell also moves the focus, before the screen has been updated. The value must be sent only once.
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

  // A cell that disappears is never left: for example, the table turns into cards when the screen is rotated.
  const handleRemoved = useEffectEvent(leave);
  useEffect(() => () => handleRemoved(), []);

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
