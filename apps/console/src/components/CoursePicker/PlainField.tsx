import { styled, type Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';

const boxStyles = (theme: Theme) => ({
  '& > div': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    boxSizing: 'border-box',
    padding: '5px 38px 5px 5px',
    border: `1px solid ${theme.vars.palette.surface.outline}`,
    borderRadius: theme.shape.borderRadius,
    backgroundColor: theme.vars.palette.background.paper,
    '&:hover': { borderColor: theme.vars.palette.text.primary },
    '&:focus-within': {
      borderColor: 'transparent',
      outline: `2px solid ${theme.vars.palette.primary.main}`,
      outlineOffset: -2,
    },
    '&:has(:disabled)': { borderColor: theme.vars.palette.action.disabled },
  },
});

const labelStyles = (theme: Theme) =>
  ({
    '& label': {
      position: 'absolute',
      top: 8,
      left: 14,
      maxWidth: 'calc(100% - 60px)',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      color: theme.vars.palette.text.secondary,
      pointerEvents: 'none',
    },
    // The label is above the field while the field contains text or has the focus.
    '&:is(:focus-within, [data-full=true], :has(input:not(:placeholder-shown))) label': {
      top: -9,
      left: 9,
      padding: '0 5px',
      fontSize: '0.75em',
      lineHeight: '18px',
      backgroundColor: theme.vars.palette.background.paper,
    },
    '&:focus-within label': { color: theme.vars.palette.primary.main },
    '&:has(:disabled) label': { color: theme.vars.palette.text.disabled },
  }) as const;

const Frame = styled('div')(({ theme }) => ({
  position: 'relative',
  minWidth: 0,
  ...boxStyles(theme),
  ...labelStyles(theme),
  '& input': {
    flex: '1 1 30px',
    minWidth: 30,
    height: 26.56,
    padding: '0 4px 0 8px',
    boxSizing: 'border-box',
    border: 0,
    outline: 0,
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    textOverflow: 'ellipsis',
  },
  '& .chosen': {
    margin: 2,
    padding: '0 8px',
    borderRadius: 6,
    backgroundColor: theme.vars.palette.action.selected,
    fontSize: '0.8125rem',
    lineHeight: '24px',
  },
  '& svg': { position: 'absolute', right: 9, top: 8, fill: theme.vars.palette.action.active },
  '&:has(:disabled) svg': { fill: theme.vars.palette.action.disabled },
  '& p': {
    ...theme.typography.caption,
    minHeight: 20,
    margin: '4px 14px 0',
    color: theme.vars.palette.text.secondary,
  },
}));

export interface PlainFieldProps {
  id: string;
  label: string;
  hint: ReactNode;
  disabled: boolean;
  readOnly?: boolean;
  chosen: readonly { id: number; name: string }[];
  text: string;
  /** Called to open the list. */
  onOpen: () => void;
}

/** Shown in place of a field with a list until that is loaded. Looks the same, and is the same to screen readers. */
export function PlainField(props: PlainFieldProps) {
  const { id, label, hint, disabled, readOnly = false, chosen, text, onOpen } = props;
  return (
    <Frame data-full={chosen.length > 0}>
      <label htmlFor={id}>{label}</label>
      {/* The input inside handles the keys; a press beside the input counts as a press on it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        onMouseDown={(event) => {
          if (disabled || readOnly) return;
          onOpen();
          if (event.target instanceof HTMLInputElement) return;
          event.preventDefault();
          document.getElementById(id)?.focus();
        }}
      >
        {chosen.map((one) => (
          <span key={one.id} className="chosen">
            {one.name}
          </span>
        ))}
        <input
          // The content may arrive later than the field, which is then mounted again.
          key={text}
          id={id}
          type="text"
          role="combobox"
          aria-expanded="false"
          aria-autocomplete="list"
          aria-describedby={`${id}-hint`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder=" "
          defaultValue={text}
          disabled={disabled}
          readOnly={readOnly}
          onKeyDown={({ key }) => {
            if (key === 'ArrowDown' || key === 'ArrowUp') onOpen();
          }}
        />
      </div>
      <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
        <path d="m7 10 5 5 5-5z" />
      </svg>
      <p id={`${id}-hint`}>{hint}</p>
    </Frame>
  );
}
