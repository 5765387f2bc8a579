import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { NameList } from '../NameList/NameList.tsx';
import { Notice, type NoticeProps } from './Notice.tsx';
import { texts } from './texts.ts';

/** In px; a longer list scrolls. */
const HEIGHT = 168;

interface NamedProps extends Pick<NoticeProps, 'tone' | 'title'> {
  text: string;
  /** All subjects of the notice, one per line. */
  lines: readonly string[];
  action?: ReactNode;
}

/** A notice that lists all of its subjects. */
export function Named({ tone, title, text, lines, action }: NamedProps) {
  return (
    <Notice tone={tone} title={title} {...(action === undefined ? {} : { action })}>
      <Typography>{text}</Typography>
      <Box sx={{ width: '100%' }}>
        <NameList names={lines} label={texts.list(title)} height={HEIGHT} />
      </Box>
    </Notice>
  );
}
