import { ownPath, type StoredImage } from '@lms-admin/contract/images';
import { grouped } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ownImagesQuery } from '../../api/images.ts';
import { useProfile } from '../../api/session.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { DataTable } from '../../components/DataTable/DataTable.tsx';
import type { Column } from '../../components/DataTable/types.ts';
import { momentFormat } from '../../components/moments.ts';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { CopyLink } from './CopyLink.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { texts } from './texts.ts';

const words = texts.earlier;
/** Milliseconds after the last keystroke until the list is updated. */
const TYPING_MS = 350;
/** Maximum number of letters that the server searches for. */
const MOST_LETTERS = 100;
const ROW_HEIGHT = 64;
const HEIGHT = 40 + ROW_HEIGHT * 7.5;
const rowKey = ({ link, uploaded_at, name }: StoredImage) => `${link} ${uploaded_at} ${name}`;

/** All of the administrator's own images with their links, latest first. */
export function EarlierImages({ onCopy }: { onCopy: (link: string) => void }) {
  const [typed, setTyped] = useState('');
  const search = useLater(typed.trim());
  const query = useInfiniteQuery({ ...ownImagesQuery(search), placeholderData: keepPreviousData });
  const { time_zone } = useProfile().userProfile;
  const columns = useMemo(() => columnsOf(onCopy, time_zone), [onCopy, time_zone]);
  const rows = useMemo(() => (query.data?.pages ?? []).flatMap(({ images }) => images), [query.data]);
  const total = query.data?.pages.at(-1)?.total ?? null;
  const announce = useAnnounce();
  const announcement = search === '' || total === null || query.isPlaceholderData ? '' : words.count(total);
  useEffect(() => {
    if (announcement !== '') announce(announcement);
  }, [announcement, announce]);

  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <Typography variant="h2" sx={{ flex: '1 1 200px' }}>
          {words.title}
        </Typography>
        {(search !== '' || typed !== '' || (total ?? 0) > 0) && (
          <TextField
            type="search"
            size="small"
            label={words.search}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            slotProps={{ htmlInput: { maxLength: MOST_LETTERS, autoComplete: 'off', spellCheck: false } }}
            sx={{ flex: '1 1 220px', maxWidth: 360 }}
          />
        )}
      </Box>
      {query.isError ? (
        <ErrorState error={query.error} title={words.failed} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable<StoredImage, string>
          label={words.label}
          rows={rows}
          columns={columns}
          rowKey={rowKey}
          rowHeight={ROW_HEIGHT}
          height={HEIGHT}
          loading={query.isPending}
          empty={
            search === '' ? (
              <EmptyState title={words.none}>{words.noneNext}</EmptyState>
            ) : (
              <EmptyState title={words.nothing(search)}>{words.nothingNext}</EmptyState>
            )
          }
        />
      )}
      {query.hasNextPage && !query.isError && <More query={query} shown={rows.length} total={total} />}
    </>
  );
}

interface MoreProps {
  query: Pick<UseInfiniteQueryResult, 'isFetchingNextPage' | 'fetchNextPage'>;
  shown: number;
  total: number | null;
}

function More({ query, shown, total }: MoreProps) {
  return (
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'center' }}>
      <Button
        variant="outlined"
        disabled={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {words.more}
      </Button>
      {total !== null && (
        <Typography variant="body2" color="textSecondary">
          {words.shown(shown, total)}
        </Typography>
      )}
    </Box>
  );
}

function columnsOf(onCopy: (link: string) => void, zone: string | null): readonly Column<StoredImage>[] {
  const moment = momentFormat(zone);
  const heads = words.columns;
  // Sorting only the loaded rows would hide the others.
  const unsortable = { sortable: false } as const;
  return [
    {
      id: 'image',
      header: heads.image,
      value: () => null,
      cell: ({ link }) => <Thumbnail src={ownPath(link)} alt="" size={48} />,
      width: '76px',
      minWidth: 76,
      ...unsortable,
    },
    {
      id: 'name',
      header: heads.name,
      value: ({ name }) => name,
      wrap: true,
      width: '26%',
      minWidth: 150,
      ...unsortable,
    },
    {
      id: 'link',
      header: heads.link,
      value: ({ link }) => link,
      cell: ({ name, link }) => <CopyLink name={name} link={link} onCopy={onCopy} />,
      minWidth: 240,
      ...unsortable,
    },
    {
      id: 'size',
      header: heads.size,
      value: ({ bytes }) => bytes,
      cell: ({ bytes, width, height }) => (
        <>
          {grouped(bytes)}
          <Box component="span" sx={{ display: 'block', typography: 'body2', color: 'text.secondary' }}>
            {words.pixels(width, height)}
          </Box>
        </>
      ),
      kind: 'number',
      width: '112px',
      minWidth: 112,
      ...unsortable,
    },
    {
      id: 'when',
      header: heads.when,
      value: ({ uploaded_at }) => uploaded_at,
      cell: ({ uploaded_at }) => moment(uploaded_at),
      width: '168px',
      minWidth: 168,
      ...unsortable,
    },
  ];
}

/** Returns the text after a pause in typing. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
