import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { awardChanged, previousQuery, restoreList } from '../../api/awards.ts';
import { useProfile } from '../../api/session.ts';
import { useWrite } from '../../api/useWrite.ts';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { momentFormat } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import type { ToastsWork } from '../../components/Toast/useToasts.ts';
import { countsOf } from './list-check.ts';
import { listHeading } from './list-heading.ts';
import { texts } from './texts.ts';

/** The list of before, which is kept, and the press that brings it back. */
export function PreviousList({ show }: Pick<ToastsWork, 'show'>) {
  const { time_zone } = useProfile().userProfile;
  const { data } = useQuery(previousQuery);
  const [asking, setAsking] = useState(false);
  // One press for each time that it is asked: the second of a double press would be refused.
  const pressed = useRef(false);
  const restore = useWrite({
    mutationFn: restoreList,
    onError() {
      pressed.current = false;
    },
    async onSuccess() {
      await awardChanged();
      setAsking(false);
      show(texts.previous.done, 'done');
    },
  });
  const previous = data?.previous ?? null;
  if (previous === null) return null;
  const { version, rows, updated_at, updated_by } = previous;
  const changes = data?.changes ?? null;
  const close = () => setAsking(false);
  function press() {
    if (pressed.current) return;
    pressed.current = true;
    restore.write(version);
  }
  return (
    <>
      <Notice
        tone="info"
        title={texts.previous.title}
        action={
          <Button
            size="small"
            variant="outlined"
            color="inherit"
            onClick={() => {
              restore.reset();
              pressed.current = false;
              setAsking(true);
            }}
          >
            {texts.previous.press}
          </Button>
        }
      >
        <Typography>{texts.previous.about(rows, momentFormat(time_zone)(updated_at), updated_by)}</Typography>
      </Notice>
      <AppDialog
        open={asking}
        {...(!restore.isPending && { onClose: close })}
        role="alertdialog"
        title={texts.previous.ask}
        {...(restore.isSuccess && { returnFocus: listHeading })}
        actions={
          <>
            <Button color="inherit" variant="outlined" disabled={restore.isPending} onClick={close}>
              {texts.previous.no}
            </Button>
            <Button
              variant="contained"
              autoFocus
              aria-disabled={restore.isPending || undefined}
              onClick={press}
            >
              {texts.previous.yes}
            </Button>
          </>
        }
      >
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          <Typography>{texts.previous.text(rows, changes && countsOf(changes))}</Typography>
          <Typography>{texts.previous.kept}</Typography>
          {restore.error !== null && <ErrorState error={restore.error} title={texts.previous.failed} />}
        </Box>
      </AppDialog>
    </>
  );
}
