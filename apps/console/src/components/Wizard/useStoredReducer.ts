import { type Dispatch, type Reducer, useEffect, useReducer, useRef } from 'react';
import { readStored, type StoredShape, writeStored } from '../../api/stored-state.ts';

/**
 * `useReducer` whose state survives a reload of the tab.
 * @param tool name of the tool, part of the storage entries
 * @param shape a schema for every top-level part of the state
 */
export function useStoredReducer<State extends object, Action>(
  tool: string,
  shape: StoredShape<State>,
  reducer: Reducer<State, Action>,
  initial: State,
): [State, Dispatch<Action>] {
  const [state, dispatch] = useReducer(reducer, initial, (fresh) => readStored(tool, shape, fresh));
  const written = useRef(state);
  // Written at once, not on leaving: a write on leaving would bring back what 'Back to Home' has just cleared.
  useEffect(() => {
    if (written.current === state) return;
    writeStored(tool, state, written.current);
    written.current = state;
  }, [tool, state]);
  return [state, dispatch];
}
