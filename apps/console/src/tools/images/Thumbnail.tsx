import { styled } from '@mui/material/styles';
import { useState } from 'react';
import { FileIcon } from '../../components/WorkIcons.tsx';

/**
 * A light background in both colour schemes, with squares behind transparent parts: most icons are designed for white
 * pages.
 */
const Ground = styled('span')(({ theme }) => ({
  flex: 'none',
  display: 'inline-grid',
  placeItems: 'center',
  overflow: 'hidden',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 6,
  color: '#545f59',
  background: 'repeating-conic-gradient(#e9e9e6 0 25%, #ffffff 0 50%) 0 0 / 12px 12px',
  '& img': { display: 'block', maxWidth: '100%', maxHeight: '100%', objectFit: 'contain' },
}));

export interface ThumbnailProps {
  src: string;
  /** Empty if the name is beside the picture. */
  alt: string;
  /** Side in px. */
  size: number;
}

/** A picture in a square; an icon in its place if the browser cannot show it. */
export function Thumbnail({ src, alt, size }: ThumbnailProps) {
  const [failed, setFailed] = useState(false);
  return (
    <Ground style={{ width: size, height: size }}>
      {failed ? (
        <FileIcon />
      ) : (
        <img src={src} alt={alt} loading="lazy" decoding="async" onError={() => setFailed(true)} />
      )}
    </Ground>
  );
}
