import Link from '@mui/material/Link';
import { OutIcon } from './Icons.tsx';

interface PersonLinkProps {
  /** Address of the LMS; null where it is not known, and for someone who is not there. */
  lms: string | null;
  id: number | null;
  name: string;
  /** What is heard: that it opens the page of the person in the LMS. */
  label: string;
}

/** A person by name, with the way to their page in the LMS. */
export function PersonLink({ lms, id, name, label }: PersonLinkProps) {
  if (lms === null || id === null) return name;
  return (
    <Link
      href={`${lms.replace(/\/$/, '')}/users/${id}`}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5 }}
    >
      {name}
      <OutIcon size={14} />
    </Link>
  );
}
