import { groupEnrollmentMessages } from '@lms-admin/contract/messages/group-enrollment';
import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';
import { noteSeen } from '../../api/jobs.ts';
import { SubmitView } from '../../components/Submission/SubmitView.tsx';
import type { WizardAction, WizardParts } from '../../components/Wizard/wizard-reducer.ts';
import { leaveOut } from './CourseImports.tsx';
import { refreshGroups } from './categories-query.ts';
import { focusOn, PLACES } from './dialog-part.ts';

export interface RunViewProps {
  place: 'groups' | 'members';
  /** What it is called for people who hear it. */
  label: string;
  course: number;
  part: WizardParts;
  dispatch: (action: WizardAction) => void;
  /** 'Done', below a run that has ended. */
  onDone: () => void;
}

/** What was confirmed is sent once, by the plan's id, and followed to its end (GRP-17, GRP-32); then the lists are read again. */
export function RunView({ place, label, course, part, dispatch, onDone }: RunViewProps) {
  const { submission } = part;
  const isFresh = submission.import === null;
  useEffect(() => {
    // The button that was pressed is gone, with the dialog around it.
    if (isFresh) focusOn(place);
    // Only the press moves the focus, not what comes of it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const section = useRef<HTMLElement>(null);
  const hasEnded = submission.logged.includes('ended');
  useEffect(() => {
    // Who waits for the end sees it, and 'Done'; who works elsewhere in the dialog meanwhile is left there.
    if (hasEnded && document.activeElement?.id === PLACES[place]) {
      section.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [hasEnded, place]);
  return (
    <Box component="section" ref={section} aria-label={label}>
      <SubmitView
        key={submission.key}
        screen="group"
        submission={submission}
        payload={{ plan: submission.key ?? '' }}
        dispatch={(action) => {
          dispatch(action);
          if (action.type === 'logged' && action.what === 'ended') void refreshGroups(course);
        }}
        onNotSent={() => {
          dispatch({ type: 'not-sent' });
          // What was worked out would be refused again.
          dispatch({ type: 'prepare-again' });
        }}
        onSignedOut={() => dispatch({ type: 'signed-out' })}
        // Until 'Done' every tab shows it when the course is opened.
        seenAtEnd={false}
        onHome={() => {
          if (submission.import !== null) {
            leaveOut(course, submission.import);
            noteSeen(submission.import);
          }
          focusOn(place);
          onDone();
        }}
        homeLabel={groupEnrollmentMessages.groups.done}
      />
    </Box>
  );
}
