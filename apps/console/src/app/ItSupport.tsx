import { messages } from '@lms-admin/contract/messages';
import Link from '@mui/material/Link';

/** Text in which 'IT Support' links to their email address, if it is known (OP-15). */
export function WithItSupport({ text, email }: { text: string; email: string | null }) {
  const words = messages.shell.itSupport;
  const at = text.lastIndexOf(words);
  if (at === -1 || email === null) return text;
  return (
    <>
      {text.slice(0, at)}
      <Link href={`mailto:${email}`}>{words}</Link>
      {text.slice(at + words.length)}
    </>
  );
}
