import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { OutIcon } from '../../components/Icons.tsx';
import { texts } from './texts.ts';

export interface LmsObject {
  id: string;
  name: string | null;
  /** Path of the record's page in the LMS; null without one. */
  page: string | null;
}

/**
 * A record of the LMS: its name, linked if it has a page, with the SIS ID below.
 * @param lms address; null while it is not known
 */
export function InLms({
  object,
  lms,
  tabIndex,
}: {
  object: LmsObject;
  lms: string | null;
  tabIndex?: number;
}) {
  const { id, name, page } = object;
  const shown = name ?? id;
  return (
    <Box sx={{ overflowWrap: 'anywhere' }}>
      {page === null || lms === null ? (
        shown
      ) : (
        <Link
          href={`${lms.replace(/\/$/, '')}/${page}`}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={texts.review.open(shown)}
          {...(tabIndex === undefined ? {} : { tabIndex })}
          sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5 }}
        >
          {shown}
          <OutIcon size={14} />
        </Link>
      )}
      {name !== null && id !== '' && (
        <Box component="span" sx={{ display: 'block', color: 'text.secondary', fontSize: '0.875em' }}>
          {id}
        </Box>
      )}
    </Box>
  );
}
