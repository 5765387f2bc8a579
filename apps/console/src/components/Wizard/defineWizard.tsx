import { toolById } from '@lms-admin/contract/tools';
import { type ComponentType, type Dispatch, type Reducer, useEffect, useReducer, useRef } from 'react';
import { clearStored, readStored, type StoredShape, writeStored } from '../../api/stored-state.ts';
import { takeHandedOver } from './hand-over.ts';
import { Wizard } from './Wizard.tsx';
import type { WizardDefinition } from './wizard-definition.ts';
import type { WizardParts } from './wizard-reducer.ts';

/** Creates the screen of a tool with steps. */
export function defineWizard<State extends WizardParts, Action, Work>(
  of: WizardDefinition<State, Action, Work>,
): ComponentType {
  const { tool, texts, store, useWork, steps, sum, submits, Progress, takeOver } = of;
  const titles = texts.steps.map((title, index) => ({ title, purpose: texts.purpose[index] ?? '' }));

  return function WizardScreen() {
    const [state, dispatch] = useStoredReducer(tool, store.shape, store.reduce, store.initial);
    const { step, view } = state.wizard;
    const reviewing = view === 'steps' && step === steps.length - 1;
    const work = useWork(state, dispatch, reviewing);
    const here = steps[step];

    useEffect(() => {
      // The first screen waits only for the first step; the others load while the administrator works on it.
      for (const { Screen } of steps) Screen.fetch?.();
      Progress?.fetch?.();
    }, []);

    useEffect(() => {
      const handed = takeOver ? takeHandedOver(tool) : null;
      if (takeOver && handed !== null) dispatch(takeOver(handed));
    }, [dispatch]);

    function handleNext() {
      if (!reviewing) return dispatch({ type: 'next' });
      const key = submits?.(state, work) ?? null;
      if (key !== null) dispatch({ type: 'submit', key });
    }

    function handleHome() {
      clearStored(tool);
      window.location.reload();
    }

    return (
      <Wizard
        title={toolById(tool).tab ?? ''}
        steps={titles}
        at={state.wizard}
        missing={() => here?.missing?.(state, work) ?? null}
        onNext={handleNext}
        onBack={() => dispatch({ type: 'back' })}
        sum={sum(state, work, reviewing)}
        blocked={here?.blocked?.(state, work) ?? null}
        nextLabel={typeof here?.nextLabel === 'function' ? here.nextLabel(state, work) : here?.nextLabel}
        removes={here?.removes?.(state, work) ?? false}
        takes={here?.takes?.(state, work) ?? null}
        ended={state.submission.logged.includes('ended')}
        progressTitle={texts.progress ?? ''}
      >
        {view === 'progress' && Progress ? (
          <Progress state={state} dispatch={dispatch} work={work} onHome={handleHome} />
        ) : (
          here && <here.Screen state={state} dispatch={dispatch} work={work} />
        )}
      </Wizard>
    );
  };
}

/**
 * Manages state like `useReducer`, but the state survives a reload of the tab.
 * @param tool name of the tool, part of the storage entries
 * @param shape a schema for every top-level part of the state
 */
function useStoredReducer<State extends object, Action>(
  tool: string,
  shape: StoredShape<State>,
  reducer: Reducer<State, Action>,
  initial: State,
): [State, Dispatch<Action>] {
  const [state, dispatch] = useReducer(reducer, initial, (fresh) => readStored(tool, shape, fresh));
  const written = useRef(state);
  // Written immediately: a write on leaving the page would restore what 'Back to Home' has just cleared.
  useEffect(() => {
    if (written.current === state) return;
    writeStored(tool, state, written.current);
    written.current = state;
  }, [tool, state]);
  return [state, dispatch];
}
