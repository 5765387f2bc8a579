import { imageMessages } from '@lms-admin/contract/messages/images';
import { grouped } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { announce } from '../../components/Announcer.tsx';
import { Facts } from '../../components/Facts.tsx';
import { WarningIcon } from '../../components/Icons.tsx';
import { PICKER } from './ImageTable.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import { texts } from './texts.ts';
import type { LargeFile, ShrinkResult, Size } from './upload-state.ts';
import { work } from './upload-work.ts';

const words = texts.large;
const PREVIEW = 128;
const buttons = { size: 'small', variant: 'outlined', color: 'inherit' } as const;

/** Shrinks the files one after the other, without adding any. */
async function shrinkAll(files: readonly LargeFile[]): Promise<void> {
  for (const { id } of files) work.apply({ type: 'shrink', id, shrink: { at: 'working' } });
  for (const file of files) {
    const { id, name } = file;
    const shrunkFile = await shrunk(file);
    // The result replaces the pressed button and gets the focus, unless the focus has moved elsewhere.
    flushSync(() => work.apply({ type: 'shrink', id, shrink: shrunkFile }));
    if (document.activeElement === document.body) buttonIn(`[data-file='${id}']`)?.focus();
    announce(
      shrunkFile.at === 'shrunk'
        ? words.done(name, shrunkFile.picture.bytes)
        : words.failed(name, shrunkFile.why),
    );
  }
}

async function shrunk({ name, source }: LargeFile): Promise<ShrinkResult> {
  try {
    const { shrink } = await import('./shrink.ts');
    return await shrink(name, source);
  } catch {
    // The script could not be loaded.
    return { at: 'impossible', why: texts.shrink.never };
  }
}

const buttonIn = (place: string) => document.querySelector<HTMLElement>(`${place} button`);

/** Applies the event, then moves focus to the next element, because the pressed button has disappeared. */
function goOn(event: Parameters<typeof work.apply>[0]): void {
  flushSync(() => work.apply(event));
  (buttonIn('[data-file]') ?? document.getElementById(PICKER))?.focus();
}

/** Images above the limit: listed instead of added, each with a button to shrink it (IMG-05, OP-93). */
export function TooLarge({ files }: { files: readonly LargeFile[] }) {
  if (files.length === 0) return null;
  return (
    <Box
      component="section"
      aria-label={words.list}
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        border: 1,
        borderRadius: 1,
        borderColor: 'warning.main',
        bgcolor: 'surface.warning',
      }}
    >
      <ListHead files={files} />
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 640, overflowY: 'auto' }}>
        {files.map((file) => (
          <Box
            component="li"
            key={file.id}
            data-file={file.id}
            sx={{
              display: 'grid',
              gap: 1.5,
              gridTemplateColumns: 'minmax(0, 1fr)',
              px: 2,
              py: 1.5,
              borderTop: 1,
              borderColor: 'divider',
            }}
          >
            <Typography sx={{ overflowWrap: 'anywhere' }}>
              {imageMessages.tooLarge(file.name, file.bytes)}
            </Typography>
            <Outcome file={file} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}

/** Buttons for all images in the list. */
function ListHead({ files }: { files: readonly LargeFile[] }) {
  const offered = files.filter(({ shrink }) => shrink.at === 'offered');
  const ready = files.filter(({ shrink }) => shrink.at === 'shrunk');
  const ids = (some: readonly LargeFile[]) => some.map(({ id }) => id);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, p: 2, pb: 1 }}>
      <Box sx={{ color: 'warning.main', lineHeight: 0 }}>
        <WarningIcon />
      </Box>
      <Typography variant="h3" component="p" sx={{ flex: '1 1 200px' }}>
        {words.title(files.length)}
      </Typography>
      {offered.length > 1 && (
        <Button {...buttons} onClick={() => void shrinkAll(offered)}>
          {words.offerAll(offered.length)}
        </Button>
      )}
      {ready.length > 1 && (
        <Button size="small" variant="contained" onClick={() => goOn({ type: 'take', ids: ids(ready) })}>
          {words.takeAll(ready.length)}
        </Button>
      )}
      {files.length > 1 && (
        <Button {...buttons} onClick={() => goOn({ type: 'leave', ids: ids(files) })}>
          {words.leaveAll}
        </Button>
      )}
    </Box>
  );
}

const dimensions = ({ width, height }: Size) => `${grouped(width)} × ${grouped(height)}`;

const row = { display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' } as const;

function Outcome({ file }: { file: LargeFile }) {
  const { id, name, shrink } = file;
  const leave = (
    <Button {...buttons} aria-label={words.leaveOf(name)} onClick={() => goOn({ type: 'leave', ids: [id] })}>
      {words.leave}
    </Button>
  );
  switch (shrink.at) {
    case 'offered':
    case 'working': {
      const busy = shrink.at === 'working';
      return (
        <Box sx={row}>
          <Button
            size="small"
            variant="contained"
            aria-label={busy ? undefined : words.offerOf(name)}
            aria-disabled={busy}
            onClick={() => void (busy || shrinkAll([file]))}
          >
            {busy ? words.working : words.offer}
          </Button>
          {leave}
        </Box>
      );
    }
    case 'impossible':
      return (
        <>
          <Typography sx={{ overflowWrap: 'anywhere' }}>
            {texts.shrink.cannot} {shrink.why}
          </Typography>
          <Box sx={row}>{leave}</Box>
        </>
      );
    case 'shrunk':
      return (
        <Shrunk file={file} shrink={shrink}>
          {leave}
        </Shrunk>
      );
  }
}

interface ShrunkProps {
  file: LargeFile;
  shrink: Extract<ShrinkResult, { at: 'shrunk' }>;
  /** The other button, which removes the file. */
  children: ReactNode;
}

/** The smaller picture with its sizes, ready to be added. */
function Shrunk({ file: { id, name, bytes }, shrink: shrunkFile, children }: ShrunkProps) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <Thumbnail src={shrunkFile.picture.file} alt={words.preview(name)} size={PREVIEW} />
      <Box sx={{ flex: '1 1 240px', display: 'grid', gap: 1, alignContent: 'start' }}>
        <Facts
          label={words.preview(name)}
          facts={[
            [words.size, words.sizes(bytes, shrunkFile.picture.bytes)],
            [words.pixels, words.dimensions(dimensions(shrunkFile.from), dimensions(shrunkFile.to))],
          ]}
        />
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {shrunkFile.picture.name !== name && `${words.renamed(shrunkFile.picture.name)} `}
          {words.nothing}
        </Typography>
        <Box sx={row}>
          <Button
            size="small"
            variant="contained"
            aria-label={words.takeOf(name)}
            onClick={() => goOn({ type: 'take', ids: [id] })}
          >
            {words.take}
          </Button>
          {children}
        </Box>
      </Box>
    </Box>
  );
}
