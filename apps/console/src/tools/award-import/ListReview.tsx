import type { ListChanges } from '@lms-admin/contract/awards';
import { awardImportMessages } from '@lms-admin/contract/messages/awards';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { Figures } from '../../components/Figures/Figures.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import type { ToastsWork } from '../../components/Toast/useToasts.ts';
import { ChangesTable } from './ChangesTable.tsx';
import { ListProblems } from './ListProblems.tsx';
import { type CheckedList, changesAnything } from './list-check.ts';
import { listHeading } from './list-heading.ts';
import { ReplaceDialog } from './ReplaceDialog.tsx';
import { texts } from './texts.ts';

export interface ListReviewProps {
  name: string;
  check: CheckedList;
  show: ToastsWork['show'];
  /** Checks the same file again. */
  onRetry: () => void;
  /** Called when the administrator has finished with the file, whether or not the list was replaced. */
  onDone: () => void;
}

/** The contents of an Excel file and its changes, before anything is replaced. */
export function ListReview({ name, check, show, onRetry, onDone }: ListReviewProps) {
  const [asking, setAsking] = useState(false);
  const { changes, problem_count: problems, hint_count: hints, ignored } = check;
  const same = changes !== null && !changesAnything(changes);

  return (
    <Box
      component="section"
      aria-labelledby="award-check"
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: 'minmax(0, 1fr)',
        p: { xs: 1.5, sm: 2 },
        border: 1,
        borderColor: 'surface.outline',
        borderRadius: 1,
      }}
    >
      <ReviewHead name={name} check={check} />
      {problems > 0 && <ListProblems kind="problems" all={check.problems} count={problems} />}
      {hints > 0 && <ListProblems kind="hints" all={check.hints} count={hints} />}
      {ignored.length > 0 && <Notice tone="info" title={texts.check.ignored(ignored)} />}
      {changes !== null && <ChangeFigures changes={changes} />}
      {same && (
        <Notice tone="info" title={texts.check.same}>
          <Typography>{texts.check.sameNext}</Typography>
        </Notice>
      )}
      {changes !== null && !same && <ChangesTable changes={changes} />}
      <Buttons onReplace={changes !== null && !same ? () => setAsking(true) : null} onDone={onDone} />
      {changes !== null && (
        <ReplaceDialog
          open={asking}
          check={check}
          changes={changes}
          onClose={() => setAsking(false)}
          onRetry={() => {
            setAsking(false);
            onRetry();
          }}
          onReplaced={() => {
            setAsking(false);
            show(awardImportMessages.uploaded, 'done');
          }}
          onDone={onDone}
        />
      )}
    </Box>
  );
}

/** The name of the Excel file, which gets the focus, and a summary of its contents. */
function ReviewHead({ name, check }: Pick<ListReviewProps, 'name' | 'check'>) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Box>
      <Typography
        id="award-check"
        ref={heading}
        variant="h2"
        component="h3"
        tabIndex={-1}
        sx={{ overflowWrap: 'anywhere', '&:focus': { outline: 'none' } }}
      >
        {texts.check.title(name)}
      </Typography>
      {check.changes !== null && (
        <Typography color="textSecondary">{texts.check.sheet(check.sheet, check.rows.length)}</Typography>
      )}
    </Box>
  );
}

function ChangeFigures({ changes }: { changes: ListChanges }) {
  return (
    <Figures
      label={texts.check.figures}
      figures={[
        { label: texts.check.added, value: changes.added.length, strong: true },
        { label: texts.check.changed, value: changes.changed.length, strong: true },
        { label: texts.check.gone, value: changes.gone.length, strong: true, takes: true },
        { label: texts.check.unchanged, value: changes.unchanged },
      ]}
    />
  );
}

interface ButtonsProps extends Pick<ListReviewProps, 'onDone'> {
  /** Null if there is nothing to replace. */
  onReplace: (() => void) | null;
}

function Buttons({ onReplace, onDone }: ButtonsProps) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {onReplace !== null && (
        <Button variant="contained" onClick={onReplace}>
          {texts.check.replace}
        </Button>
      )}
      <Button
        variant="outlined"
        color="inherit"
        onClick={() => {
          listHeading()?.focus();
          onDone();
        }}
      >
        {texts.check.discard}
      </Button>
    </Box>
  );
}
