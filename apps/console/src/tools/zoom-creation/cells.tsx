import { zoomCreationMessages } from '@lms-admin/contract/messages/zoom-creation';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import { DownloadIcon } from '../../components/WorkIcons.tsx';
import type { EventRow } from './event-rows.ts';
import { MergedIcon, SeenIcon, UnmergeIcon, UnseenIcon } from './icons.tsx';
import { texts } from './texts.ts';

// Plain elements with one class each: a row costs the browser little.
export const Quiet = styled('span')(({ theme }) => ({ color: theme.vars.palette.text.secondary }));

const Line = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  maxWidth: '100%',
  verticalAlign: 'middle',
  '& .seen': { color: theme.vars.palette.success.main },
  '& .unseen': { color: theme.vars.palette.text.secondary },
  '& span:not(.heard):has(> span)': { display: 'inline-flex', alignItems: 'center', gap: 4 },
}));

const Two = styled('span')({ flexDirection: 'column', minWidth: 0, lineHeight: 1.3 });
const Differs = styled('span')(({ theme }) => ({
  color: theme.vars.palette.text.secondary,
  fontSize: theme.typography.body2.fontSize,
  whiteSpace: 'normal',
}));

const Chip = styled('span')(({ theme }) => ({
  maxWidth: 120,
  padding: '1px 8px',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 6,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  fontSize: theme.typography.body2.fontSize,
}));

const SmallButton = styled('button')(({ theme }) => ({
  display: 'inline-grid',
  placeItems: 'center',
  width: 30,
  height: 30,
  padding: 0,
  border: `1px solid ${theme.vars.palette.surface.outline}`,
  borderRadius: 6,
  background: 'none',
  color: theme.vars.palette.text.primary,
  cursor: 'pointer',
  '&:hover': { backgroundColor: theme.vars.palette.surface.rowSelected },
}));

/** Shortens a link as far as it can still be recognised; the copy button copies all of it. */
function shortLink(link: string): string {
  try {
    const { pathname } = new URL(link);
    return pathname.split('/').filter(Boolean).at(-1) ?? link;
  } catch {
    return link;
  }
}

interface CellProps {
  row: EventRow;
  tabIndex: number;
}

/** The join link (ZC-07); one that is not a web address is shown as text. */
export function MeetingLink({ row: { event, title, rows }, tabIndex }: CellProps) {
  const link = event.zoom_link;
  if (link === null) {
    const sections = rows.some(({ kind, event: own }) => kind === 'section' && own.zoom_link !== null);
    return <Quiet>{sections ? texts.bySection : texts.noLink}</Quiet>;
  }
  if (!/^https?:\/\//.test(link)) return link;
  return (
    <Link
      href={link}
      target="_blank"
      rel="noopener noreferrer"
      tabIndex={tabIndex}
      aria-label={texts.opensMeeting(title)}
    >
      {shortLink(link)}
    </Link>
  );
}

/** Alternative hosts as chips (ZC-08): the first, and the number of others; screen readers get all of them. */
export function CoHosts({ emails, host }: { emails: readonly string[]; host: (email: string) => string }) {
  const [first, ...others] = emails;
  if (first === undefined) return '';
  return (
    <Line title={emails.join(', ')}>
      <Chip>{host(first)}</Chip>
      {others.length > 0 && (
        <>
          <Chip aria-hidden="true">{texts.moreHosts(others.length)}</Chip>
          <span className="heard">, {others.map(host).join(', ')}</span>
        </>
      )}
    </Line>
  );
}

/** Returns the saved visibility or, if the text in the LMS differs, what students actually see. */
export function visibilityOf({ zoom_visibility: seen, zoom_texts: differs }: EventRow['event']): string {
  const text = seen === 1 ? texts.published : texts.hidden;
  return differs === null ? text : `${text}, ${texts.differs[differs]}`;
}

/** Whether students see the link, how many events are merged with it, and a button to unmerge (ZC-09). */
export function Visibility({ row, tabIndex, onUnmerge }: CellProps & { onUnmerge: (row: EventRow) => void }) {
  const { zoom_visibility: visible, zoom_texts: differs } = row.event;
  const seen = visible === 1;
  const text = (
    <span>
      <span className={seen ? 'seen' : 'unseen'} style={{ lineHeight: 0 }}>
        {seen ? <SeenIcon /> : <UnseenIcon />}
      </span>
      {seen ? texts.published : texts.hidden}
    </span>
  );
  return (
    <Line>
      {differs === null ? (
        text
      ) : (
        <Two title={visibilityOf(row.event)} style={{ alignItems: 'flex-start', gap: 0 }}>
          {text}
          <span className="heard">, </span>
          <Differs>{texts.differs[differs]}</Differs>
        </Two>
      )}
      {row.merged > 0 && (
        <span title={texts.merged(row.merged)}>
          <Quiet style={{ lineHeight: 0 }}>
            <MergedIcon />
          </Quiet>
          <span>
            {row.merged}
            <span className="heard"> {texts.mergedWord}</span>
          </span>
        </span>
      )}
      {row.kind === 'merged' && (
        <SmallButton
          type="button"
          tabIndex={tabIndex}
          aria-label={texts.unmergeOf(row.title)}
          title={texts.unmerge}
          onClick={() => onUnmerge(row)}
        >
          <UnmergeIcon />
        </SmallButton>
      )}
    </Line>
  );
}

/** The calendar file (ZC-10, OP-101), named by the day in the list's zone; Zoom's own address opens a new tab. */
export function Download({ row: { event, title }, zone, tabIndex }: CellProps & { zone: string }) {
  if (event.ics === null) return <Quiet>{zoomCreationMessages.noIcs}</Quiet>;
  const own = event.ics.startsWith('/');
  return (
    <Link
      href={own ? `${event.ics}?time_zone=${encodeURIComponent(zone)}` : event.ics}
      tabIndex={tabIndex}
      aria-label={texts.icsOf(title)}
      {...(own ? { download: '' } : { target: '_blank', rel: 'noopener noreferrer' })}
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5 }}
    >
      <DownloadIcon size={16} />
      {texts.ics}
    </Link>
  );
}
