import { createUsersMessages } from '@lms-admin/contract/messages/create-users';
import { MAX_NEW_USERS } from '@lms-admin/domain/constants';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useDeferredValue, useEffect, useRef } from 'react';
import { CloseIcon, RetryIcon } from '../../components/Icons.tsx';
import { NotTaken } from '../../components/NotTaken/NotTaken.tsx';
import { focusStep } from '../../components/Wizard/focus-step.ts';
import { isBlank } from './create-users-state.ts';
import { RowNotices } from './RowNotices.tsx';
import { RowsGrid } from './RowsGrid.tsx';
import { fieldId } from './row-problems.ts';
import { texts } from './texts.ts';
import { UsersTable } from './UsersTable.tsx';
import type { UsersStep } from './useUsersWork.ts';

/** Step 'User Information': the people, row by row or from a spreadsheet (CU-03 to CU-06). */
export function RowsStep(props: UsersStep) {
  const { state, dispatch, work } = props;
  const { rows } = state;
  const focusLast = useFocusLast(rows.map((row) => row.id));

  function handleAdd() {
    if (rows.length >= MAX_NEW_USERS) return;
    focusLast();
    dispatch({ type: 'add' });
  }

  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 3 }}>
      <RowNotices work={work} last={rows.at(-1)?.id} dispatch={dispatch} />
      <RowsBar {...props} focusLast={focusLast} />
      <NotTaken
        pieces={state.pasted?.notTaken ?? []}
        onDismiss={() => {
          // The list disappears with its button.
          focusStep();
          dispatch({ type: 'dismiss' });
        }}
      />
      <RowsGrid {...props} onAdd={handleAdd} />
      <RowButtons {...props} onAdd={handleAdd} focusLast={focusLast} />
      <Preview state={state} dispatch={dispatch} />
    </Box>
  );
}

interface RowsPartProps extends UsersStep {
  /** Moves focus to the last row once the rows have changed. */
  focusLast: () => void;
}

/** Above the rows: instructions, the last action with its undo, and a button to clear them all. */
function RowsBar({ state, dispatch, focusLast }: RowsPartProps) {
  const { rows, undo, pasted } = state;
  const [first] = rows;
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1,
        minHeight: 40,
        mb: -1.5,
      }}
    >
      <Typography variant="body2" color="textSecondary" sx={{ mr: 'auto' }}>
        {texts.columns}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, ml: 'auto' }}>
        {undo !== null && (
          <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            <Typography variant="body2" color="textSecondary">
              {undo.what === 'paste' && pasted ? texts.pasteSum(pasted) : texts.done[undo.what]}
            </Typography>
            <Button
              size="small"
              startIcon={<RetryIcon size={16} style={{ transform: 'scaleX(-1)' }} />}
              onClick={() => {
                focusLast();
                dispatch({ type: 'undo' });
              }}
            >
              {texts.undo}
            </Button>
          </Box>
        )}
        {(rows.length > 1 || (first !== undefined && !isBlank(first))) && (
          <Button
            color="inherit"
            onClick={() => {
              focusLast();
              dispatch({ type: 'clear' });
            }}
          >
            {texts.clear}
          </Button>
        )}
      </Box>
    </Box>
  );
}

/** Below the rows: buttons to add a row, to remove one, and to remove those that would block 'Next'. */
function RowButtons({ state, dispatch, work, onAdd, focusLast }: RowsPartProps & { onAdd: () => void }) {
  const { rows } = state;
  const { form } = work;
  const last = rows.at(-1);
  const full = rows.length >= MAX_NEW_USERS;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
      <Button variant="outlined" disabled={full} onClick={onAdd}>
        {texts.add}
      </Button>
      {rows.length > 1 && (
        <Button
          color="inherit"
          startIcon={<CloseIcon size={16} />}
          onClick={() => {
            if (rows.length === 2) focusLast();
            dispatch({ type: 'remove-last' });
          }}
        >
          {texts.removeLast(rows.length)}
        </Button>
      )}
      {/* Rows between others can also be removed: an empty one would block 'Next' (CU-24). */}
      {(
        [
          [form.repeated, texts.leaveOutRepeated],
          [form.blank, texts.removeBlank],
        ] as const
      ).map(
        ([ids, text]) =>
          ids.some((id) => id !== last?.id) && (
            <Button
              key={text(0)}
              color="inherit"
              startIcon={<CloseIcon size={16} />}
              onClick={() => {
                focusLast();
                dispatch({ type: 'leave-out', ids });
              }}
            >
              {text(ids.length)}
            </Button>
          ),
      )}
      {full && (
        <Typography variant="body2" color="textSecondary">
          {texts.most(MAX_NEW_USERS)}
        </Typography>
      )}
    </Box>
  );
}

/** The people as a table, if requested. */
function Preview({ state, dispatch }: Pick<UsersStep, 'state' | 'dispatch'>) {
  const { simulate } = state;
  const rows = useDeferredValue(state.rows);
  return (
    <Box>
      <FormControlLabel
        label={createUsersMessages.simulate}
        control={<Checkbox checked={simulate} onChange={(_, on) => dispatch({ type: 'simulate', on })} />}
      />
      {simulate && (
        <Box sx={{ mt: 1 }}>
          <UsersTable rows={rows} label={texts.preview} />
        </Box>
      )}
    </Box>
  );
}

/** Moves focus to the first field of the last row after a change: the pressed button may have disappeared. */
function useFocusLast(ids: readonly number[]): () => void {
  const wanted = useRef(false);
  const joined = ids.join();
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    const last = joined.split(',').at(-1) ?? '';
    document.getElementById(fieldId(Number(last), 'psID'))?.focus();
  }, [joined]);
  return () => {
    wanted.current = true;
  };
}
