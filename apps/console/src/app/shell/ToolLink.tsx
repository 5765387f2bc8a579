import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { OutIcon } from '../../components/Icons.tsx';
import { texts } from '../texts.ts';

interface ToolLinkProps {
  children: ReactNode;
  /** Null for the recordings page, which is on another site. */
  path: string | null;
  isOpen: boolean;
  recordingsUrl: string | null;
  /** Called when the tool was opened in this window. */
  onOpened: () => void;
  /** Called when the recordings page was opened in another window. */
  onLeft?: (() => void) | undefined;
}

function opensElsewhere(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
}

/** Link to a tool, labelled with its name. */
export function ToolLink({ children, path, isOpen, recordingsUrl, onOpened, onLeft }: ToolLinkProps) {
  if (path === null)
    return (
      <OutLink href={recordingsUrl ?? ''} onLeft={onLeft}>
        {children}
      </OutLink>
    );
  return (
    <Link
      to={path}
      aria-current={isOpen ? 'page' : undefined}
      onClick={(event) => {
        if (!opensElsewhere(event)) onOpened();
      }}
    >
      {children}
    </Link>
  );
}

interface OutLinkProps extends Pick<ToolLinkProps, 'children' | 'onLeft'> {
  href: string;
}

/** Link to a page that opens in another window. */
export function OutLink({ href, children, onLeft }: OutLinkProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" onClick={onLeft}>
      {children}
      <OutIcon size={15} aria-hidden="false" role="img" aria-label={texts.opensNewWindow} />
    </a>
  );
}
