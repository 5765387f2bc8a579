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
  /** Name for screen readers. */
  label: string;
  course: number;
  part: WizardParts;
  dispatch: (action: WizardAction) => void;
  /** 'Done', below an import that has ended. */
  onDone: () => void;
}

/** Sends the confirmed plan once, by its ID, and follows it to its end (GRP-17, GRP-32). Then it reloads the lists. */
export function RunView({ place, label, course, part, dispatch, onDone }: RunViewProps) {
  const { submission } = part;
  const isFresh = submission.import === null;
  useEffect(() => {
    // The pressed button has disappeared together with its dialog.
    if (isFresh) focusOn(place);
    // Only the press moves the focus, not its results.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const section = useRef<HTMLElement>(null);
  const hasEnded = submission.logged.includes('ended');
  useEffect(() => {
    // If the focus is here when the import ends, the result is scrolled into view. Work elsewhere in the dialog is
    // not interrupted.
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
          // The same plan would be rejected again.
          dispatch({ type: 'prepare-again' });
        }}
        onSignedOut={() => dispatch({ type: 'signed-out' })}
        // Until 'Done' is pressed, every tab shows the result when the course is opened.
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
