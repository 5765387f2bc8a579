import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type GroupPlan, type GroupPlanRequest, groupPlan } from '@lms-admin/contract/groups';
import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import { GROUP_PLAN } from '@lms-admin/contract/plan-kinds';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useCallback, useMemo, useState } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { Planning } from '../../components/Planning/Planning.tsx';
import { type PlanKind, type PlanWork, usePlan } from '../../components/Planning/usePlan.ts';
import { SentElsewhere } from '../../components/Review/ReviewNotices.tsx';
import { useSettled } from '../../components/useSettled.ts';
import type { WizardAction } from '../../components/Wizard/wizard-reducer.ts';
import { RefreshButton } from './CategoryList.tsx';
import { CategorySelect, isGone } from './CategorySelect.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { type GroupsAction, type GroupsPart, isSent } from './course-work.ts';
import { focusOn, type PanelProps } from './dialog-part.ts';
import { GroupsTable } from './GroupsTable.tsx';
import { groupSentences, groupsBlocked } from './plan-words.ts';
import { RangeRows } from './RangeRows.tsx';
import { RunView } from './RunView.tsx';
import { groupRequest } from './requests.ts';
import { Send } from './Send.tsx';
import { Sentences } from './Sentences.tsx';
import { planningWords, texts } from './texts.ts';

const words = groupEnrollmentMessages.groups;
const BUTTON = 'group-create';
const PLANS: PlanKind<GroupPlan> = {
  job: GROUP_PLAN,
  read: ENDPOINTS.groupPlan,
  plan: async () => groupPlan,
};

export interface GroupsPanelProps extends PanelProps {
  part: GroupsPart;
}

/** 'Create Groups': prefix and numbers, the simulation, the confirmation, the import (GRP-14 to GRP-24). */
export function GroupsPanel(props: GroupsPanelProps) {
  const { part, course, dispatch } = props;
  const act = useCallback(
    (action: GroupsAction | WizardAction) => dispatch({ type: 'groups', action }),
    [dispatch],
  );
  return isSent(part) ? (
    <RunView
      place="groups"
      label={texts.groups.progress}
      course={course.id}
      part={part}
      dispatch={act}
      onDone={() => act({ type: 'run-done' })}
    />
  ) : (
    <GroupsForm {...props} act={act} />
  );
}

type FormProps = GroupsPanelProps & { act: (action: GroupsAction | WizardAction) => void };

function GroupsForm(props: FormProps) {
  const { categories, act } = props;
  const [asking, setAsking] = useState(false);
  const gone = isGone(categories, props.part.category);
  const part = useMemo(() => (gone ? { ...props.part, category: null } : props.part), [gone, props.part]);
  const { planning, plan, request } = useGroupPlan(props, part);
  const sentences = plan === null ? [] : groupSentences(plan);
  const sentAs = plan?.import_id ?? null;
  const nameable = categories.list?.some(({ category }) => category.sis_group_category_id !== null) ?? true;

  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)', mt: 1 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
        <CategorySelect
          id="group-groups-category"
          label={texts.groups.category}
          none={texts.groups.choose}
          categories={categories}
          value={part.category}
          onChange={(category) => act({ type: 'choose', category })}
        />
        <RefreshButton categories={categories} onRefresh={() => act({ type: 'prepare-again' })} />
      </Box>
      {!nameable && <Notice tone="info" title={texts.groups.noneTitle} />}
      {gone && <Notice tone="warning" title={texts.groups.gone} />}
      <RangeRows rows={part.ranges} act={act} />
      <Simulation {...props} part={part} planning={planning} isRequested={request !== null} />
      {plan !== null && sentAs !== null ? (
        <SentElsewhere onFollow={() => act({ type: 'follow', key: plan.id, import: sentAs })} />
      ) : (
        <Send
          id={BUTTON}
          label={words.create}
          blocked={groupsBlocked(part, plan, planning)}
          onPress={() => setAsking(true)}
        />
      )}
      <ConfirmDialog
        open={asking}
        title={words.create}
        text={words.confirm}
        sentences={sentences}
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
function useGroupPlan({ course, act }: FormProps, part: GroupsPart) {
  const announce = useAnnounce();
  const settled = useSettled(part.ranges);
  const request = useMemo(
    () => (part.simulate && settled ? groupRequest(course.id, part) : null),
    [part, settled, course.id],
  );
  const planning = usePlan<GroupPlanRequest, GroupPlan>(PLANS, request, part, act, (newPlan) =>
    announce(texts.groups.ready(groupSentences(newPlan).join(' '))),
  );
  return { planning, plan: planning.plan, request };
}

interface SimulationProps extends FormProps {
  planning: PlanWork<GroupPlan>;
  /** Whether a plan of the entries is requested. */
  isRequested: boolean;
}

/** The switch, and the groups that would be created. */
function Simulation({ course, part, act, planning, isRequested }: SimulationProps) {
  const { plan } = planning;
  const sentences = plan === null ? [] : groupSentences(plan);
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <FormControlLabel
        label={words.simulate}
        control={<Checkbox checked={part.simulate} onChange={(_, on) => act({ type: 'simulate', on })} />}
      />
      {part.simulate && (
        <>
          {isRequested && plan === null && (
            <Planning work={planning} words={planningWords} onRetry={() => focusOn('groups')} />
          )}
          {sentences.length > 0 && <Sentences of={sentences} />}
          <GroupsTable sisCourseId={course.sis_course_id} ranges={part.ranges} plan={plan} />
        </>
      )}
    </Box>
  );
}
