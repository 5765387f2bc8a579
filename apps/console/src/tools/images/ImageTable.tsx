import { imageMessages } from '@lms-admin/contract/messages/images';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo } from 'react';
import { announce } from '../../components/Announcer.tsx';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { CheckIcon, CopyIcon, StopIcon } from '../../components/Icons.tsx';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { CopyLink } from './CopyLink.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { texts } from './texts.ts';
import type { ImageRow } from './upload-state.ts';
import { work } from './upload-work.ts';

const heads = imageMessages.columns;
const words = texts.table;
const rowKey = ({ id }: ImageRow) => id;
const rowLabel = ({ name }: ImageRow) => name;
const ROW_HEIGHT = 76;
const THUMBNAIL = 56;
/** px: six and a half rows, to show that the list continues. */
const HEIGHT = 40 + ROW_HEIGHT * 6.5;
/** Minimum number of images for which the list has a search field. */
const SEARCHED_FROM = 11;

interface ImageTableProps {
  rows: readonly ImageRow[];
  onCopy: (link: string) => void;
  /** Copies names and links of all uploaded images. */
  onCopyAll: () => void;
}

/** The selected images with their progress (IMG-06 to IMG-08, IMG-14). */
export function ImageTable({ rows, onCopy, onCopyAll }: ImageTableProps) {
  const narrow = useMediaQuery(({ breakpoints }: Theme) => breakpoints.down('sm'));
  const columns = useMemo(() => columnsOf(onCopy, narrow), [onCopy, narrow]);
  return (
    <DataTable<ImageRow, number>
      label={words.label}
      rows={rows}
      columns={columns}
      rowKey={rowKey}
      rowLabel={rowLabel}
      rowHeight={ROW_HEIGHT}
      height={HEIGHT}
      search={rows.length >= SEARCHED_FROM}
      searchPlaceholder={words.search}
      actions={
        rows.some(({ state }) => state.at === 'uploaded') ? (
          <Button size="small" variant="outlined" startIcon={<CopyIcon size={16} />} onClick={onCopyAll}>
            {words.copyAll}
          </Button>
        ) : undefined
      }
      empty={<EmptyState title={words.empty}>{words.emptyNext}</EmptyState>}
    />
  );
}

function columnsOf(onCopy: ImageTableProps['onCopy'], narrow: boolean): readonly Column<ImageRow>[] {
  return [
    {
      id: 'number',
      header: heads.number,
      value: ({ number }) => number,
      kind: 'number',
      sortable: false,
      searchable: false,
      width: '76px',
      minWidth: 76,
    },
    {
      id: 'name',
      header: heads.name,
      value: ({ name }) => name,
      wrap: true,
      width: narrow ? '112px' : '27%',
      minWidth: narrow ? 112 : 200,
      cell: ({ name, bytes }) => (
        <>
          {name}
          <Box component="span" sx={{ display: 'block', typography: 'body2', color: 'text.secondary' }}>
            {texts.bytes(bytes)}
          </Box>
        </>
      ),
    },
    {
      id: 'image',
      header: heads.image,
      value: ({ state }) => (state.at === 'uploaded' ? state.image.link : null),
      sortable: false,
      searchable: false,
      minWidth: narrow ? 210 : 280,
      cell: (row) => <Image row={row} onCopy={onCopy} />,
    },
    {
      id: 'status',
      header: heads.status,
      value: ({ state }) => state.at,
      sortable: false,
      searchable: false,
      width: '172px',
      minWidth: 172,
      cell: (row) => <Status row={row} />,
    },
  ];
}

/** The preview, with the link beside it or the reason why the image has no link. */
function Image({ row, onCopy }: { row: ImageRow; onCopy: ImageTableProps['onCopy'] }) {
  const { name, file, state } = row;
  const preview = <Thumbnail src={file} alt="" size={THUMBNAIL} />;
  if (state.at === 'uploaded') {
    return (
      <CopyLink name={name} link={state.image.link} onCopy={onCopy}>
        {preview}
      </CopyLink>
    );
  }
  const failed = state.at === 'failed';
  const text = failed ? words.failed(withoutName(state.message, name), state.next) : words.waiting;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
      {preview}
      <Box
        component="span"
        className="wrap"
        title={failed ? text : undefined}
        sx={{ typography: 'body2', color: failed ? 'text.primary' : 'text.secondary' }}
      >
        {text}
      </Box>
    </Box>
  );
}

/** Removes the name from a message: the row already shows it, and it may be long. */
function withoutName(message: string, name: string): string {
  return message.startsWith(`${name} `) ? `${words.it}${message.slice(name.length)}` : message;
}

const line = { display: 'flex', alignItems: 'center', gap: 0.75 } as const;

/** The delete icon, then the progress, then the check (IMG-08); 'Upload failed' after a failure (IMG-14). */
function Status({ row }: { row: ImageRow }) {
  const { state, name } = row;
  switch (state.at) {
    case 'waiting':
      return <Remove row={row} />;
    case 'uploading': {
      const stage = state.percent === null ? words.storing : words.uploading;
      return (
        <Box sx={{ display: 'grid', gap: 0.5 }}>
          <span>{stage}</span>
          <LinearProgress
            aria-label={words.uploadingOf(name)}
            {...(state.percent === null
              ? { variant: 'indeterminate' }
              : { variant: 'determinate', value: state.percent })}
          />
        </Box>
      );
    }
    case 'uploaded':
      return (
        <Box sx={{ display: 'grid' }}>
          <Box component="span" sx={{ ...line, color: 'success.main' }}>
            <CheckIcon />
            {words.uploaded}
          </Box>
          {state.removed !== null && (
            <Box component="span" className="wrap" sx={{ typography: 'body2', color: 'text.secondary' }}>
              {words.takenOut(state.removed)}
            </Box>
          )}
        </Box>
      );
    case 'failed':
      return (
        <Box component="span" sx={{ ...line, color: 'error.main' }}>
          <Remove row={row} />
          <StopIcon size={18} style={{ flex: 'none' }} />
          {imageMessages.failed}
        </Box>
      );
  }
}

const MARK = 'data-delete';

function Remove({ row: { id, name } }: { row: ImageRow }) {
  function handleClick() {
    const buttons = [...document.querySelectorAll<HTMLElement>(`[${MARK}]`)];
    const at = buttons.findIndex((one) => one.getAttribute(MARK) === String(id));
    work.apply({ type: 'remove', id });
    announce(words.removed(name));
    // The pressed button disappears: the next one gets the focus.
    (buttons[at + 1] ?? buttons[at - 1] ?? document.getElementById(PICKER))?.focus();
  }
  return (
    <IconButton
      size="small"
      color="inherit"
      aria-label={words.remove(name)}
      title={words.remove(name)}
      onClick={handleClick}
      {...{ [MARK]: id }}
      sx={{ ml: -0.75, color: 'text.secondary', '&:hover': { color: 'error.main' } }}
    >
      <DeleteIcon />
    </IconButton>
  );
}

/** ID of the field that picks files. */
export const PICKER = 'images-picker';

/** A bin in the style of the console's icons; only this tool uses it, so it is loaded with its screen. */
function DeleteIcon() {
  return (
    <svg
      width={20}
      height={20}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M4.75 7h14.5M9.25 7V4.75h5.5V7M6.75 7l.75 12.25h9L17.25 7M10.25 10.5v5.5M13.75 10.5v5.5" />
    </svg>
  );
}
