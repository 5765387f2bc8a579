import type { SisImport, SubmitPayload } from '@lms-admin/contract/imports';
import type { ImportScreen } from '@lms-admin/domain/import-states';
import type { Dispatch } from 'react';
import { later, type Part } from '../later.tsx';
import type { ProgressProps, StepProps } from '../Wizard/wizard-definition.ts';
import type { WizardAction, WizardParts } from '../Wizard/wizard-reducer.ts';

const View = later(() => import('./SubmitView.tsx').then(({ SubmitView }) => SubmitView));

export interface ImportProgressOptions<State, Action, Work> {
  screen: ImportScreen;
  /** The rows to submit; sent once for each key. */
  payload: (state: State) => SubmitPayload;
  /** Runs when the server rejected the submission, so that nothing was sent; if omitted, returns to the last step. */
  onNotSent?: (dispatch: Dispatch<Action | WizardAction>, work: Work) => void;
  /** Label of the button that returns, if it does more than show the review. */
  retryLabel?: string;
  /** The number on the screen of a row that the server names, if it differs from its number in the CSV. */
  rowOf?: (row: number) => number;
  /** Another button at the end: its label and its action. */
  another?: { label: string; action: NoInfer<Action> };
  /** The tool's own content below a finished import: the message of each row. */
  Ended?: Part<StepProps<State, Action, Work> & { of: SisImport }>;
  /** The tool's own content below a finished import, without messages about rows. */
  Below?: Part<StepProps<State, Action, Work> & { of: SisImport }>;
}

/** Manages the progress of a wizard that ends with an import: submits the confirmed review, and follows the import. */
export function importProgress<State extends WizardParts, Action, Work>(
  options: ImportProgressOptions<State, Action, Work>,
): Part<ProgressProps<State, Action, Work>> {
  const { screen, payload, onNotSent, retryLabel, rowOf, another, Ended, Below } = options;

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
        {...(retryLabel !== undefined && { retryLabel })}
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
