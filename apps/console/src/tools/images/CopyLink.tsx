import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { CopyIcon } from '../../components/Icons.tsx';
import { texts } from './texts.ts';

const Button = styled('button')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  width: '100%',
  minWidth: 0,
  padding: 4,
  marginLeft: -4,
  border: 0,
  borderRadius: 6,
  background: 'none',
  color: theme.vars.palette.secondary.main,
  font: 'inherit',
  textAlign: 'left',
  cursor: 'pointer',
  '&:hover': { backgroundColor: theme.vars.palette.surface.rowSelected },
  '&:focus-visible': { outlineOffset: -2 },
  '& > svg': { flex: 'none' },
  '& > .link': {
    minWidth: 0,
    overflowWrap: 'anywhere',
    whiteSpace: 'normal',
    fontSize: '0.8125rem',
    lineHeight: '18px',
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 3,
    overflow: 'hidden',
  },
}));

export interface CopyLinkProps {
  name: string;
  link: string;
  onCopy: (link: string) => void;
  /** A picture before the link; pressing it also copies the link. */
  children?: ReactNode;
}

/** A link that is copied when pressed (IMG-07). */
export function CopyLink({ name, link, onCopy, children }: CopyLinkProps) {
  return (
    <Button type="button" aria-label={texts.table.copy(name, link)} title={link} onClick={() => onCopy(link)}>
      {children}
      <span className="link">{link}</span>
      <CopyIcon size={18} />
    </Button>
  );
}
