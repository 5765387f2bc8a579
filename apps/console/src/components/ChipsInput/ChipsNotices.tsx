import type { EntryKindId } from '@lms-admin/domain/chips';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { InfoIcon, StopIcon } from '../Icons.tsx';
import { type ChipsNotice, isSum } from './chips-state.ts';
import { texts } from './texts.ts';

const MOST_PROBLEMS_SHOWN = 5;

const Notices = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 4,
  ...theme.typography.body2,
  '&:empty': { display: 'none' },
  '& > div': { display: 'flex', gap: 6, overflowWrap: 'anywhere' },
  '& > .removed': { alignItems: 'center', gap: 8 },
  '& .wrong': { color: theme.vars.palette.error.main },
  '& .known': { color: theme.vars.palette.text.secondary },
  '& svg': { flex: 'none', marginTop: 1 },
}));

export interface ChipsNoticesProps {
  kind: EntryKindId;
  id: string;
  notice: ChipsNotice;
  /** Entries that were just removed and can be restored. */
  removed: readonly string[];
  onUndo: () => void;
}

/** The result of the last entry. */
export function ChipsNotices({ kind, id, notice, removed, onUndo }: ChipsNoticesProps) {
  const { problems } = notice;
  // A single new chip needs no message.
  const summed = isSum({ ...notice, added: notice.added > 1 ? notice.added : 0 });
  return (
    <Notices id={id}>
      {problems.slice(0, MOST_PROBLEMS_SHOWN).map((text) => (
        <Line key={text} kind="wrong" icon={<StopIcon size={18} />} text={text} />
      ))}
      {problems.length > MOST_PROBLEMS_SHOWN && (
        <span>{texts.moreProblems(problems.length - MOST_PROBLEMS_SHOWN)}</span>
      )}
      {summed && <Line kind="known" icon={<InfoIcon size={18} />} text={texts.sum(kind, notice)} />}
      {removed.length > 0 && (
        <div className="removed">
          {removed.length === 1 ? texts.removed(removed[0] ?? '') : texts.removedAll(kind, removed.length)}
          <Button size="small" onClick={onUndo}>
            {texts.undo}
          </Button>
        </div>
      )}
    </Notices>
  );
}

function Line({ kind, icon, text }: { kind: 'wrong' | 'known'; icon: ReactNode; text: string }) {
  return (
    <div className={kind}>
      {icon}
      <span>{text}</span>
    </div>
  );
}
