import { MAX_DRAFTS, type OpenDraft } from '@lms-admin/contract/sis-drafts';
import { sisTableOf } from '@lms-admin/domain/sis-tables';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useProfile } from '../../api/session.ts';
import { discardDraft, openDraftsQuery } from '../../api/sis-drafts.ts';
import { useWrite } from '../../api/useWrite.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { momentFormat } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { focusStep } from '../../components/Wizard/focus-step.ts';
import { texts } from './texts.ts';

const words = texts.drafts;

export interface OpenDraftsProps {
  onContinue: (draft: OpenDraft) => void;
  /** @param id ID of a draft that has been deleted */
  onDiscarded: (id: string) => void;
}

/** Files being corrected, to continue after the tab was closed; renders nothing if none. */
export function OpenDrafts({ onContinue, onDiscarded }: OpenDraftsProps) {
  const { data: drafts = [], error, refetch } = useQuery(openDraftsQuery);
  const [discarding, setDiscarding] = useState<OpenDraft | null>(null);
  const heading = useId();
  const leaves = pushedOutNext(drafts);
  if (error !== null) return <ErrorState error={error} title={words.failed} onRetry={() => void refetch()} />;
  return (
    <>
      {drafts.length > 0 && (
        <Box component="section" aria-labelledby={heading} sx={{ display: 'grid', gap: 1 }}>
          <Typography id={heading} variant="h3">
            {words.title}
          </Typography>
          <Box component="ul" sx={{ display: 'grid', gap: 1, m: 0, p: 0, listStyle: 'none' }}>
            {drafts.map((draft) => (
              <Draft key={draft.id} draft={draft}>
                <Button
                  size="small"
                  variant="contained"
                  aria-label={words.continueOf(draft.name)}
                  onClick={() => onContinue(draft)}
                >
                  {words.continue}
                </Button>
                <Button
                  size="small"
                  variant="outlined"
                  color="inherit"
                  aria-label={words.discardOf(draft.name)}
                  onClick={() => setDiscarding(draft)}
                >
                  {words.discard}
                </Button>
              </Draft>
            ))}
          </Box>
          {leaves !== null && (
            <Notice tone="warning" title={words.full(leaves.name)}>
              <Typography>{words.fullText}</Typography>
            </Notice>
          )}
          <Typography variant="body2" color="textSecondary" sx={{ maxWidth: '68ch' }}>
            {words.retention}
          </Typography>
        </Box>
      )}
      <DiscardDialog draft={discarding} onClose={() => setDiscarding(null)} onDiscarded={onDiscarded} />
    </>
  );
}

/**
 * Finds the corrected file that the next upload would delete; null if there is space, or an uncorrected file to delete.
 */
function pushedOutNext(newestFirst: readonly OpenDraft[]): OpenDraft | null {
  const room = newestFirst.length < MAX_DRAFTS || newestFirst.some(({ steps }) => steps === 0);
  return room ? null : (newestFirst.at(-1) ?? null);
}

function Draft({ draft, children }: { draft: OpenDraft; children: ReactNode }) {
  const moment = momentFormat(useProfile().userProfile.time_zone);
  const kind = draft.kind === null ? '' : sisTableOf(draft.kind).title;
  const beside = draft.beside.fails + draft.beside.unknown;
  const state = draft.header_wrong
    ? words.header
    : draft.wrong > 0
      ? words.wrong(draft.wrong, draft.rows)
      : beside > 0
        ? words.beside(beside)
        : draft.import === null
          ? words.ready
          : words.notApplied;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1.5,
        p: 1.5,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      <Box sx={{ flex: '1 1 280px', minWidth: 0 }}>
        <Typography sx={{ fontWeight: 620, overflowWrap: 'anywhere' }}>{draft.name}</Typography>
        <Typography>{[kind, state, words.corrections(draft.steps)].filter(Boolean).join(' · ')}</Typography>
        <Typography variant="body2" color="textSecondary">
          {words.times(moment(draft.created_at), moment(draft.expires_at))}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', gap: 1 }}>{children}</Box>
    </Box>
  );
}

interface DiscardDialogProps {
  /** Null while no draft is to be discarded. */
  draft: OpenDraft | null;
  onClose: () => void;
  onDiscarded: (id: string) => void;
}

function DiscardDialog({ draft, onClose, onDiscarded }: DiscardDialogProps) {
  const client = useQueryClient();
  const announce = useAnnounce();
  // The text stays while the dialog fades out.
  const [last, setLast] = useState(draft);
  if (draft !== null && draft !== last) setLast(draft);
  const discard = useWrite({
    mutationFn: ({ id }: OpenDraft) => discardDraft(id),
    async onSuccess(_, { id, name }) {
      client.setQueryData(openDraftsQuery.queryKey, (all) => all?.filter((one) => one.id !== id));
      onDiscarded(id);
      announce(words.discarded(name));
      close();
      // The button that opened the dialog disappears with its draft.
      focusStep();
    },
  });
  function close() {
    discard.reset();
    onClose();
  }
  const name = last?.name ?? '';
  return (
    <AppDialog
      open={draft !== null}
      onClose={close}
      role="alertdialog"
      maxWidth="xs"
      title={words.discardTitle(name)}
      actions={
        <>
          <Button color="inherit" variant="outlined" autoFocus onClick={close}>
            {words.keep}
          </Button>
          <Button
            color="error"
            variant="contained"
            disabled={discard.isPending}
            onClick={() => draft !== null && discard.write(draft)}
          >
            {words.discardLong}
          </Button>
        </>
      }
    >
      <Typography sx={{ overflowWrap: 'anywhere' }}>{words.discardText(last?.steps ?? 0)}</Typography>
      {discard.error !== null && <ErrorState error={discard.error} title={words.discardFailed} />}
    </AppDialog>
  );
}
