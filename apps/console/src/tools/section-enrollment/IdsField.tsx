import { styled } from '@mui/material/styles';
import { type ClipboardEvent, useState } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { pasteIds, readIds, repeatedIds, tidyIds } from './assignments.ts';
import { texts } from './texts.ts';

const Area = styled('textarea')(({ theme }) => ({
  display: 'block',
  boxSizing: 'border-box',
  width: '100%',
  minHeight: 60,
  maxHeight: 232,
  padding: '8px 12px',
  resize: 'vertical',
  fieldSizing: 'content',
  border: `1px solid ${theme.vars.palette.surface.outline}`,
  borderRadius: theme.shape.borderRadius,
  backgroundColor: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.primary,
  fontFamily: 'var(--lms-mono)',
  fontSize: '0.875rem',
  lineHeight: '20px',
  overflowWrap: 'anywhere',
  '&::placeholder': {
    color: theme.vars.palette.text.secondary,
    opacity: 1,
    fontFamily: theme.typography.fontFamily,
  },
  '&:hover': { borderColor: theme.vars.palette.text.secondary },
  '&:focus-visible': { outlineOffset: -1, borderColor: 'transparent' },
  '&[aria-invalid=true]': { borderColor: theme.vars.palette.error.main },
}));

/** As high as the names beside it. */
const Stretch = styled('div')({ display: 'grid', gridTemplateRows: '1fr auto', gap: 4 });

const Quiet = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  color: theme.vars.palette.text.secondary,
}));

export interface IdsFieldProps {
  id: string;
  label: string;
  text: string;
  onChange: (text: string) => void;
}

/**
 * A field for many SIS ids (SE-11): typed or pasted in any shape, kept as ids separated by commas. A plain text area: it
 * stands on the screen a hundred times over, and holds thousands of ids.
 */
export function IdsField({ id, label, text, onChange }: IdsFieldProps) {
  const announce = useAnnounce();
  const [repeated, setRepeated] = useState(0);

  function tidy(next: string) {
    const again = repeatedIds(next);
    setRepeated(again);
    if (again > 0) announce(texts.section.repeated(again));
    const kept = tidyIds(next);
    if (kept !== text) onChange(kept);
  }

  function handlePaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const pasted = event.clipboardData.getData('text');
    const next = pasteIds(value.slice(0, selectionStart), pasted, value.slice(selectionEnd));
    if (next === null) return;
    event.preventDefault();
    tidy(next);
  }

  return (
    <Stretch>
      <Area
        id={id}
        aria-label={label}
        aria-describedby={repeated > 0 ? `${id}-note` : undefined}
        aria-invalid={readIds(text).invalid.length > 0}
        placeholder={texts.section.hint}
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          if (repeated > 0) setRepeated(0);
          onChange(event.target.value);
        }}
        onPaste={handlePaste}
        onBlur={() => {
          if (tidyIds(text) !== text) tidy(text);
        }}
      />
      {repeated > 0 && <Quiet id={`${id}-note`}>{texts.section.repeated(repeated)}</Quiet>}
    </Stretch>
  );
}
