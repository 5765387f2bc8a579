import type { SisImport, SubmitPayload } from '@lms-admin/contract/imports';
import type { ImportScreen } from '@lms-admin/domain/import-states';
import type { Dispatch } from 'react';
import { later, type Part } from '../later.tsx';
import type { ProgressProps, StepProps } from '../Wizard/wizard-definition.ts';
import type { WizardAction, WizardParts } from '../Wizard/wizard-reducer.ts';

const View = later(() => import('./SubmitView.tsx').then(({ SubmitView }) => SubmitView));

export interface ImportProgressOptions<State, Action, Work> {
  screen: ImportScreen;
  /** What is submitted, once for each key of the submission. */
  payload: (state: State) => SubmitPayload;
  /** What is done when the server refused, so that nothing was sent; the last step again when left out. */
  onNotSent?: (dispatch: Dispatch<Action | WizardAction>, work: Work) => void;
  /** Name of the button for that, where it does more than to show the review. */
  againLabel?: string;
  /** The number on the screen of a row that the server names, where that is not its number in the CSV. */
  rowOf?: (row: number) => number;
  /** A further way on from the end: its name, and what it does. */
  another?: { label: string; action: NoInfer<Action> };
  /** What the tool shows of its own below an import that has ended: what was said about each row. */
  Ended?: Part<StepProps<State, Action, Work> & { of: SisImport }>;
  /** The same where nothing is said about rows. */
  Below?: Part<StepProps<State, Action, Work> & { of: SisImport }>;
}

/** The progress of a wizard whose last press is an import: submits what was confirmed, and follows it to its end. */
export function importProgress<State extends WizardParts, Action, Work>(
  options: ImportProgressOptions<State, Action, Work>,
): Part<ProgressProps<State, Action, Work>> {
  const { screen, payload, onNotSent, againLabel, rowOf, another, Ended, Below } = options;

  function Progress({ state, dispatch, work, onHome }: ProgressProps<State, Action, Work>) {
    const whenEnded = (one: SisImport) =>
      Ended ? (
        <Ended of={one} state={state} dispatch={dispatch} work={work} />
      ) : (
        Below && <Below of={one} state={state} dispatch={dispatch} work={work} />
      );
    return (
      <View
        screen={screen}
        submission={state.submission}
        payload={payload(state)}
        dispatch={dispatch}
        rowOf={rowOf}
        onNotSent={() => (onNotSent ? onNotSent(dispatch, work) : dispatch({ type: 'not-sent' }))}
        {...(againLabel !== undefined && { againLabel })}
        onSignedOut={() => dispatch({ type: 'signed-out' })}
        onHome={onHome}
        {...(another && { another: { label: another.label, onPress: () => dispatch(another.action) } })}
        ended={whenEnded}
        ownRows={Ended !== undefined}
      />
    );
  }

  return Object.assign(Progress, {
    fetch() {
      View.fetch?.();
      Ended?.fetch?.();
      Below?.fetch?.();
    },
  });
}
