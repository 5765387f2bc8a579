/** A code that people copy: monospaced, with a copy button. */
import { styled } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import { announce } from './Announcer.tsx';
import { copyText } from './copy.ts';
import { CheckIcon, CopyIcon } from './Icons.tsx';
import { onceThemed } from './once-themed.ts';
import { texts } from './States/texts.ts';

const Mono = styled('span')({
  fontFamily: 'var(--lms-mono)',
  fontSize: '0.9em',
  fontVariantNumeric: 'tabular-nums',
  overflowWrap: 'anywhere',
});

const Copy = styled('button')(
  onceThemed((theme) => ({
    display: 'inline-grid',
    placeItems: 'center',
    width: 24,
    height: 24,
    marginLeft: 4,
    padding: 0,
    border: 0,
    borderRadius: 4,
    verticalAlign: '-6px',
    background: 'none',
    color: theme.vars.palette.text.secondary,
    cursor: 'pointer',
    '&:hover': {
      color: theme.vars.palette.primary.main,
      backgroundColor: theme.vars.palette.surface.rowSelected,
    },
  })),
);

/** Milliseconds for which a tick replaces the copy icon. */
const TICK_MS = 1_500;

export interface CopyButtonProps {
  text: string;
  /** Name of the copied text, such as 'Course ID'. */
  label: string;
  /** -1 if the keyboard reaches the button by other keys than Tab. */
  tabIndex?: number;
}

/** Copies a text with one click, and confirms it. */
export function CopyButton({ text, label, tabIndex = 0 }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), TICK_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    // If the browser does not allow copying, the text can still be selected by hand.
    if (!(await copyText(text))) return;
    setCopied(true);
    announce(`${texts.copied}: ${text}`);
  }

  return (
    <Copy
      type="button"
      className="copy"
      tabIndex={tabIndex}
      aria-label={`${texts.copy} ${label} ${text}`}
      title={copied ? texts.copied : texts.copy}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      {copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
    </Copy>
  );
}

/** An ID or code with its copy button. */
export function CopyText({ text, label }: CopyButtonProps) {
  return (
    <span>
      <Mono>{text}</Mono>
      <CopyButton text={text} label={label} />
    </span>
  );
}
