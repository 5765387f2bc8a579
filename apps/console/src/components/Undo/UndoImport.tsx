import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type UndoPlan, undoPlan } from '@lms-admin/contract/enrollments';
import { type MemberUndoPlan, memberUndoPlan } from '@lms-admin/contract/groups';
import type { SisImport } from '@lms-admin/contract/imports';
import { isUndoable, UNDO_KINDS } from '@lms-admin/contract/plan-kinds';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ComponentType, useReducer, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAnnounce } from '../Announcer.tsx';
import { ACTIVITY_PATH } from '../Job/activity-path.ts';
import { Planning } from '../Planning/Planning.tsx';
import { type PlanKind, usePlan } from '../Planning/usePlan.ts';
import { ErrorState } from '../States/ErrorState.tsx';
import { NOT_SUBMITTED } from '../Submission/submission-state.ts';
import { useSubmission } from '../Submission/useSubmission.ts';
import { NOT_PREPARED, type PlanAction, type PlanParts } from '../Wizard/wizard-reducer.ts';
import { UndoIcon } from '../WorkIcons.tsx';
import { texts } from './texts.ts';
import { UndoMembersReview } from './UndoMembersReview.tsx';
import { UndoReview } from './UndoReview.tsx';
import { membersSentence, undoSentence } from './undo-words.ts';

/** Fields of every undo plan. */
interface UndoneBy {
  id: string;
  import_id: string | null;
  totals: { rows: number; remove: number };
}

/** How imports of one tool are undone. */
interface UndoWay<Plan extends UndoneBy> {
  kind: PlanKind<Plan>;
  sentence: (plan: Plan) => string;
  /** Label of the submit button. */
  press: (totals: Plan['totals']) => string;
  Review: ComponentType<{ plan: Plan; onFollow: (() => void) | null; onReplan: () => void }>;
}

const enrolments = (job: string): UndoWay<UndoPlan> => ({
  kind: { job, read: ENDPOINTS.undoPlan, plan: async () => undoPlan },
  sentence: undoSentence,
  press: ({ remove, add }) => texts.press(remove, add),
  Review: UndoReview,
});
const WAYS = {
  'course-enrollment': enrolments(UNDO_KINDS['course-enrollment']),
  'section-enrollment': enrolments(UNDO_KINDS['section-enrollment']),
};
const MEMBERS: UndoWay<MemberUndoPlan> = {
  kind: {
    job: UNDO_KINDS['group-enrollment'],
    read: ENDPOINTS.memberUndoPlan,
    plan: async () => memberUndoPlan,
  },
  sentence: membersSentence,
  press: texts.members.press,
  Review: UndoMembersReview,
};

function planned(state: PlanParts, action: PlanAction): PlanParts {
  if (action.type === 'preparing') return { ...state, preparing: action.key };
  return action.type === 'prepared' ? { ...state, prepared: action.id } : NOT_PREPARED;
}

interface UndoImportProps {
  of: SisImport;
  /** Whether the review opens immediately. */
  begins: boolean;
}

/**
 * Undoes one of the administrator's own imports, if possible: shows the review first, then asks for confirmation by a
 * second press.
 */
export function UndoImport({ of, begins }: UndoImportProps) {
  const [open, setOpen] = useState(begins);
  const place = useRef<HTMLDivElement>(null);
  if (!of.can_undo || !isUndoable(of.tool)) return null;
  const focus = () => requestAnimationFrame(() => place.current?.focus());
  const opened = {
    of,
    onRetry: focus,
    onClose() {
      setOpen(false);
      focus();
    },
  };
  return (
    <Box
      ref={place}
      component="section"
      aria-label={texts.title}
      tabIndex={-1}
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)', outline: 'none' }}
    >
      {open && of.tool === 'group-enrollment' ? (
        <OpenUndo {...opened} way={MEMBERS} />
      ) : open && of.tool !== 'group-enrollment' ? (
        <OpenUndo {...opened} way={WAYS[of.tool]} />
      ) : (
        <Box sx={{ display: 'grid', gap: 0.5, justifyItems: 'start' }}>
          <Button
            variant="outlined"
            color="inherit"
            startIcon={<UndoIcon size={18} />}
            onClick={() => {
              setOpen(true);
              focus();
            }}
          >
            {texts.button}
          </Button>
          <Typography variant="body2" color="textSecondary">
            {texts.hint}
          </Typography>
        </Box>
      )}
    </Box>
  );
}

interface OpenUndoProps<Plan extends UndoneBy> {
  of: SisImport;
  way: UndoWay<Plan>;
  onRetry: () => void;
  onClose: () => void;
}

function OpenUndo<Plan extends UndoneBy>({ of, way, onRetry, onClose }: OpenUndoProps<Plan>) {
  const { kind, sentence, press, Review } = way;
  const navigate = useNavigate();
  const announce = useAnnounce();
  const [kept, dispatch] = useReducer(planned, NOT_PREPARED);
  const [sent, setSent] = useState<string | null>(null);
  const work = usePlan(kind, { import: of.id }, kept, dispatch, (comparedPlan) =>
    announce(sentence(comparedPlan)),
  );
  const { plan } = work;
  const follow = (id: string) => void navigate(`${ACTIVITY_PATH}/${id}`);
  const sending = useSubmission(
    { ...NOT_SUBMITTED, key: sent },
    { plan: sent ?? '' },
    (created) => follow(created.id),
    () => setSent(null),
  );
  const compare = () => {
    onRetry();
    setSent(null);
    dispatch({ type: 'prepare-again' });
  };
  return (
    <>
      <Typography variant="h2">{texts.title}</Typography>
      {plan === null ? (
        <Planning work={work} words={texts} onRetry={onRetry} />
      ) : (
        <>
          <Review
            plan={plan}
            onFollow={plan.import_id === null ? null : () => follow(plan.import_id ?? '')}
            onReplan={compare}
          />
          {sent !== null && sending.error !== null && (
            <ErrorState
              error={sending.error}
              title={texts.sendFailed}
              onRetry={sending.refused ? compare : sending.retry}
              retryLabel={sending.refused ? texts.retry : texts.resend}
            >
              {sending.refused ? texts.nothingSent : texts.safe}
            </ErrorState>
          )}
          <UndoButtons plan={plan} press={press} sent={sent !== null} onSend={setSent} onClose={onClose} />
        </>
      )}
    </>
  );
}

interface UndoButtonsProps<Plan extends UndoneBy> extends Pick<UndoWay<Plan>, 'press'> {
  plan: Plan;
  sent: boolean;
  onSend: (plan: string) => void;
  onClose: () => void;
}

function UndoButtons<Plan extends UndoneBy>(props: UndoButtonsProps<Plan>) {
  const { plan, press, sent, onSend, onClose } = props;
  const { id, totals, import_id } = plan;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      <Button variant="outlined" color="inherit" onClick={onClose}>
        {texts.leave}
      </Button>
      {totals.rows > 0 && import_id === null && (
        <Button
          variant="contained"
          color={totals.remove > 0 ? 'error' : 'primary'}
          disabled={sent}
          onClick={() => onSend(id)}
        >
          {press(totals)}
        </Button>
      )}
    </Box>
  );
}
