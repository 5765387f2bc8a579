import Link from '@mui/material/Link';
import { OutIcon } from './Icons.tsx';

interface PersonLinkProps {
  /** Address of the LMS; null if it is not known, and for people who are not in the LMS. */
  lms: string | null;
  id: number | null;
  name: string;
  /** Text for screen readers, which says that the link opens the person's page in the LMS. */
  label: string;
}

/** A person's name, linked to their page in the LMS. */
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
