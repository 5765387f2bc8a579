import type { ListChanges, PreviousList as Previous } from '@lms-admin/contract/awards';
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

/** The previous list, which is kept, and the button that restores it. */
export function PreviousList({ show }: Pick<ToastsWork, 'show'>) {
  const { time_zone } = useProfile().userProfile;
  const { data } = useQuery(previousQuery);
  const [asking, setAsking] = useState(false);
  const restore = useRestore(() => {
    setAsking(false);
    show(texts.previous.done, 'done');
  });
  const previous = data?.previous ?? null;
  if (previous === null) return null;
  const { rows, updated_at, updated_by } = previous;
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
              setAsking(true);
            }}
          >
            {texts.previous.press}
          </Button>
        }
      >
        <Typography>{texts.previous.about(rows, momentFormat(time_zone)(updated_at), updated_by)}</Typography>
      </Notice>
      <RestoreDialog
        open={asking}
        previous={previous}
        changes={data?.changes ?? null}
        restore={restore}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

/** Restores the list, once for each confirmation: the second press of a double press would be rejected. */
function useRestore(onRestored: () => void) {
  const pressed = useRef(false);
  const restore = useWrite({
    mutationFn: restoreList,
    onError() {
      pressed.current = false;
    },
    async onSuccess() {
      await awardChanged();
      onRestored();
    },
  });
  const { isPending, isSuccess, error } = restore;
  return {
    isPending,
    isSuccess,
    error,
    press(version: number) {
      if (pressed.current) return;
      pressed.current = true;
      restore.write(version);
    },
    reset() {
      restore.reset();
      pressed.current = false;
    },
  };
}

interface RestoreDialogProps {
  open: boolean;
  previous: NonNullable<Previous['previous']>;
  changes: ListChanges | null;
  restore: ReturnType<typeof useRestore>;
  onClose: () => void;
}

function RestoreDialog({ open, previous, changes, restore, onClose }: RestoreDialogProps) {
  return (
    <AppDialog
      open={open}
      {...(!restore.isPending && { onClose })}
      role="alertdialog"
      title={texts.previous.ask}
      {...(restore.isSuccess && { returnFocus: listHeading })}
      actions={
        <>
          <Button color="inherit" variant="outlined" disabled={restore.isPending} onClick={onClose}>
            {texts.previous.no}
          </Button>
          <Button
            variant="contained"
            autoFocus
            aria-disabled={restore.isPending || undefined}
            onClick={() => restore.press(previous.version)}
          >
            {texts.previous.yes}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 1.5 }}>
        <Typography>{texts.previous.text(previous.rows, changes && countsOf(changes))}</Typography>
        <Typography>{texts.previous.kept}</Typography>
        {restore.error !== null && <ErrorState error={restore.error} title={texts.previous.failed} />}
      </Box>
    </AppDialog>
  );
}
