import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  MAX_MEMBER_TEXT,
  type MemberPlan,
  type MemberPlanRequest,
  memberPlan,
} from '@lms-admin/contract/groups';
import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import { MEMBER_PLAN } from '@lms-admin/contract/plan-kinds';
import { correctedMembers, type MemberProblem } from '@lms-admin/domain/group-corrections';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useCallback, useMemo, useState } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { Planning } from '../../components/Planning/Planning.tsx';
import { type PlanKind, usePlan } from '../../components/Planning/usePlan.ts';
import { SentElsewhere } from '../../components/Review/ReviewNotices.tsx';
import { useSettled } from '../../components/useSettled.ts';
import type { WizardAction } from '../../components/Wizard/wizard-reducer.ts';
import { isGone } from './CategorySelect.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { CsvWay } from './CsvWay.tsx';
import { isSent, type MembersAction, type MembersPart, WAYS } from './course-work.ts';
import { focusOn, type PanelProps } from './dialog-part.ts';
import { type ChosenFile, KEPT_CHARACTERS } from './group-state.ts';
import { MemberCorrection } from './MemberCorrection.tsx';
import { MembersTable } from './MembersTable.tsx';
import { PastedWay } from './PastedWay.tsx';
import { confirmSentences, membersBlocked, SIMULATE, takesOf } from './plan-words.ts';
import { RunView } from './RunView.tsx';
import { memberRequest } from './requests.ts';
import { Send } from './Send.tsx';
import { SpreadWay } from './SpreadWay.tsx';
import { planningWords, texts } from './texts.ts';

const words = groupEnrollmentMessages.members;
const BUTTON = 'group-enroll';
const PLANS: PlanKind<MemberPlan> = {
  job: MEMBER_PLAN,
  read: ENDPOINTS.memberPlan,
  plan: async () => memberPlan,
};

export interface MembersPanelProps extends PanelProps {
  part: MembersPart;
  file: ChosenFile | null;
  /** The text of the file; null without a file. */
  fileText: string | null;
  pasted: string;
  onFile: (file: ChosenFile | null, text: string | null) => void;
  onPasted: (text: string) => void;
}

/** 'Enroll Users': people from a file, pasted, or distributed; simulation, confirmation, import (GRP-25 to GRP-30). */
export function MembersPanel(props: MembersPanelProps) {
  const { part, course, dispatch } = props;
  const act = useCallback(
    (action: MembersAction | WizardAction) => dispatch({ type: 'members', action }),
    [dispatch],
  );
  return isSent(part) ? (
    <RunView
      place="members"
      label={texts.members.progress}
      course={course.id}
      part={part}
      dispatch={act}
      onDone={() => act({ type: 'run-done' })}
    />
  ) : (
    <MembersForm {...props} act={act} />
  );
}

type FormProps = MembersPanelProps & { act: (action: MembersAction | WizardAction) => void };

function MembersForm(props: FormProps) {
  const { categories, act } = props;
  const [asking, setAsking] = useState(false);
  const gone = isGone(categories, props.part.category);
  const part = useMemo(() => (gone ? { ...props.part, category: null } : props.part), [gone, props.part]);
  const { way } = part;
  const { planning, plan, request, open } = useMemberPlan(props, part);
  const sentAs = plan?.import_id ?? null;
  const correct = useMend(props);

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)', mt: 1 }}>
      <WayChoice way={way} onChange={(next) => act({ type: 'way', way: next })} />
      <Way {...props} part={part} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <FormControlLabel
          label={SIMULATE[way]}
          control={<Checkbox checked={part.simulate} onChange={(_, on) => act({ type: 'simulate', on })} />}
        />
        {open !== null &&
          (plan === null ? (
            <Planning work={planning} words={planningWords} onRetry={() => focusOn('members')} />
          ) : (
            <>
              {way === 'csv' && sentAs === null && (
                <MemberCorrection members={plan.members} onCorrect={correct} />
              )}
              <MembersTable plan={plan} />
            </>
          ))}
      </Box>
      {plan !== null && sentAs !== null ? (
        <SentElsewhere onFollow={() => act({ type: 'follow', key: plan.id, import: sentAs })} />
      ) : (
        <Send
          id={BUTTON}
          label={words.enroll}
          blocked={membersBlocked(part, request !== null, plan, planning)}
          note={way === 'csv' && props.file?.problem != null ? texts.members.unusable : null}
          takes={plan === null ? '' : takesOf(plan)}
          onPress={() => setAsking(true)}
        />
      )}
      <ConfirmDialog
        open={asking}
        title={words.confirmTitle}
        text={words.confirm}
        sentences={plan === null ? [] : confirmSentences(plan)}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          if (plan !== null) act({ type: 'submit', key: plan.id });
        }}
        returnFocus={() => document.getElementById(BUTTON)}
      />
    </Box>
  );
}

/** Prepares the plan of the current entries while the simulation is on. */
function useMemberPlan({ course, file, fileText, pasted, act }: FormProps, part: MembersPart) {
  const announce = useAnnounce();
  const request = useMemo(() => {
    const usable = file !== null && fileText !== null ? { name: file.name, text: fileText } : null;
    return memberRequest(course.id, part, { file: usable, pasted });
  }, [course.id, part, file, fileText, pasted]);
  const settled = useSettled(pasted);
  const open = part.simulate && settled ? request : null;
  const planning = usePlan<MemberPlanRequest, MemberPlan>(PLANS, open, part, act, (newPlan) =>
    announce(texts.members.ready(confirmSentences(newPlan).join(' '))),
  );
  return { planning, plan: planning.plan, request, open };
}

/** Corrects rows of the file. */
function useMend({ file, fileText, onFile }: FormProps) {
  const announce = useAnnounce();
  return (problem: MemberProblem, value: string | null) => {
    if (file === null || fileText === null) return;
    const text = correctedMembers(fileText, problem, value);
    if (text === null || text.length > MAX_MEMBER_TEXT)
      return announce(texts.corrections.tooLarge, 'assertive');
    onFile({ ...file, size: text.length, text: text.length <= KEPT_CHARACTERS ? text : null }, text);
  };
}

type WayId = (typeof WAYS)[number];

function WayChoice({ way, onChange }: { way: WayId; onChange: (way: WayId) => void }) {
  return (
    <RadioGroup
      row
      aria-label={texts.ways.label}
      value={way}
      onChange={(_, value) => {
        const next = WAYS.find((one) => one === value);
        if (next) onChange(next);
      }}
    >
      {WAYS.map((one) => (
        <FormControlLabel key={one} value={one} control={<Radio />} label={texts.ways.names[one]} />
      ))}
    </RadioGroup>
  );
}

/** The fields for the chosen way to assign people. */
function Way({ part, file, fileText, pasted, categories, act, onFile, onPasted }: FormProps) {
  const onCategory = (category: number | null) => act({ type: 'choose', category });
  if (part.way === 'csv')
    return (
      <CsvWay
        file={file}
        text={fileText}
        lost={file !== null && file.problem === null && fileText === null}
        sample={part.sample}
        onSample={(on) => act({ type: 'sample', on })}
        onFile={onFile}
      />
    );
  if (part.way === 'pasted')
    return (
      <PastedWay
        text={pasted}
        onText={onPasted}
        categories={categories}
        category={part.category}
        onCategory={onCategory}
      />
    );
  return (
    <SpreadWay
      part={part}
      categories={categories}
      onCategory={onCategory}
      onChange={(change) => act({ type: 'spread', ...change })}
    />
  );
}
