import { imageMessages, LINK_COPIED_MS } from '@lms-admin/contract/messages/images';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useCallback, useState } from 'react';
import { copyText } from '../../components/copy.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { NotTaken } from '../../components/NotTaken/NotTaken.tsx';
import { Toasts } from '../../components/Toast/Toasts.tsx';
import { useToasts } from '../../components/Toast/useToasts.ts';
import { Actions } from './Actions.tsx';
import { linesOf } from './copying.ts';
import { EarlierImages } from './EarlierImages.tsx';
import { ImageTable } from './ImageTable.tsx';
import { SelectFiles } from './SelectFiles.tsx';
import { TooLarge } from './TooLarge.tsx';
import { texts } from './texts.ts';
import { forgetLost, LOST, useUploadState, work } from './upload-work.ts';
import { useTaking } from './useTaking.ts';

const columns = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' } as const;
const card = { ...columns, p: { xs: 2, sm: 3 }, gap: 2 } as const;
const words = texts.actions;

/** Aws Icons / Image Uploader (area IMG): uploads images to the store, and shows their links. */
export default function Images() {
  const state = useUploadState();
  const taking = useTaking();
  const { toasts, show, close } = useToasts();
  const { rows, refused, large } = state;

  const copyLink = useCallback(
    async (link: string) => {
      if (await copyText(link)) show(imageMessages.copied, 'done', LINK_COPIED_MS);
      else show(words.notCopied(link), 'stop');
    },
    [show],
  );
  const onCopy = useCallback((link: string) => void copyLink(link), [copyLink]);

  async function copyAll() {
    const images = rows.flatMap((row) =>
      row.state.at === 'uploaded' ? [{ name: row.name, link: row.state.image.link }] : [],
    );
    if (await copyText(linesOf(images))) show(words.copiedAll(images.length), 'done');
    else show(words.notCopiedAll, 'stop');
  }

  return (
    <Box sx={{ ...columns, gap: 3 }}>
      <Typography variant="h1" tabIndex={-1}>
        {imageMessages.title}
      </Typography>
      <Lost />
      <Paper sx={card}>
        <SelectFiles taking={taking} low={rows.length + large.length + refused.length > 0} />
        <NotTaken pieces={refused} onDismiss={() => work.apply({ type: 'dismiss' })} />
        <TooLarge files={large} />
        <ImageTable rows={rows} onCopy={onCopy} onCopyAll={() => void copyAll()} />
        <Actions state={state} filesRead={taking.ended} />
      </Paper>
      <Paper sx={card}>
        <EarlierImages onCopy={onCopy} />
      </Paper>
      <Toasts toasts={toasts} onClose={close} />
    </Box>
  );
}

/** Notice about images that a reload has removed from the list, because files do not survive a reload. */
function Lost() {
  const [seen, setSeen] = useState(lostSeen);
  const { open, onWay } = LOST;
  if (open.length + onWay.length === 0 || seen) return null;
  return (
    <Notice
      tone="warning"
      title={onWay.length > 0 ? texts.lost.titleOnWay : texts.lost.title(open.length)}
      action={
        <Button
          size="small"
          variant="outlined"
          color="inherit"
          onClick={() => {
            lostSeen = true;
            forgetLost();
            setSeen(true);
          }}
        >
          {texts.lost.dismiss}
        </Button>
      }
    >
      {open.length > 0 && <Typography sx={{ overflowWrap: 'anywhere' }}>{texts.lost.next(open)}</Typography>}
      {onWay.length > 0 && (
        <Typography sx={{ overflowWrap: 'anywhere' }}>{texts.lost.onWay(onWay)}</Typography>
      )}
    </Notice>
  );
}

/** Kept until the page is closed, so that the notice does not appear again on returning to the screen. */
let lostSeen = false;
