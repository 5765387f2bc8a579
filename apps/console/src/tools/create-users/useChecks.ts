import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type PeopleLine, peopleLine } from '@lms-admin/contract/people';
import { useCallback, useEffect, useRef, useState } from 'react';
import { postLines } from '../../api/client.ts';
import type { Check, CheckedField, Checks } from './row-problems.ts';

/** Milliseconds without a change before the LMS is asked. */
const PAUSE_MS = 400;
/** Milliseconds for which answers are gathered before they are shown: 400 of them are no 400 redraws. */
const GATHER_MS = 80;

type Answers = ReadonlyMap<string, Check>;
interface Batch {
  keys: ReadonlySet<string>;
  stop: AbortController;
}

const keyOf = (field: CheckedField, value: string) => `${field} ${value}`;

export interface CheckWork {
  checks: Checks;
  /** Asks again about what could not be looked up. */
  again: () => void;
  /** Forgets every answer: people may have been created since. */
  forget: () => void;
}

/**
 * Asks the LMS which PeopleSoft ids and e-mails exist, many at a time (CU-21, OP-55, OP-57). An answer is kept as long as
 * the form is open; a question nobody needs any more is called off; one that failed counts as failed, never as free.
 * @param wanted values without a fault of their own; none while nothing is to be asked
 */
export function useChecks(wanted: Readonly<Record<CheckedField, readonly string[]>>): CheckWork {
  const [answers, setAnswers] = useState<Answers>(new Map());
  const [round, setRound] = useState(0);
  const known = useRef(answers);
  const batches = useRef(new Set<Batch>());

  const keep = useCallback((some: ReadonlyMap<string, Check>) => {
    if (some.size === 0) return;
    known.current = new Map([...known.current, ...some]);
    setAnswers(known.current);
  }, []);

  const keys = [
    ...wanted.psID.map((id) => keyOf('psID', id)),
    ...wanted.email.map((one) => keyOf('email', one)),
  ];
  const joined = [round, ...keys].join('\n');
  useEffect(() => {
    const needed = new Set(joined.split('\n').slice(1));
    for (const batch of batches.current) {
      if (![...batch.keys].some((key) => needed.has(key))) batch.stop.abort();
    }
    const flying = new Set(
      [...batches.current].flatMap((one) => (one.stop.signal.aborted ? [] : [...one.keys])),
    );
    const open = [...needed].filter((key) => !known.current.has(key) && !flying.has(key));
    if (open.length === 0) return undefined;
    const timer = setTimeout(() => void ask(open, batches.current, keep), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [joined, keep]);

  useEffect(() => {
    const all = batches.current;
    return () => {
      for (const batch of all) batch.stop.abort();
    };
  }, []);

  return {
    checks: useCallback((field, value) => answers.get(keyOf(field, value)) ?? 'waiting', [answers]),
    again: useCallback(() => {
      known.current = new Map([...known.current].filter(([, check]) => check !== 'failed'));
      setAnswers(known.current);
      setRound((before) => before + 1);
    }, []),
    forget: useCallback(() => {
      known.current = new Map();
      setAnswers(known.current);
      setRound((before) => before + 1);
    }, []),
  };
}

async function ask(
  asked: readonly string[],
  batches: Set<Batch>,
  keep: (some: ReadonlyMap<string, Check>) => void,
): Promise<void> {
  const batch: Batch = { keys: new Set(asked), stop: new AbortController() };
  batches.add(batch);
  const left = new Set(asked);
  let gathered = new Map<string, Check>();
  const show = () => {
    keep(gathered);
    gathered = new Map();
  };
  const timer = setInterval(show, GATHER_MS);
  const { signal } = batch.stop;
  try {
    const body = { sis_ids: valuesOf('psID', asked), logins: valuesOf('email', asked) };
    for await (const line of postLines(ENDPOINTS.peopleLookup, body, peopleLine, { signal })) {
      const answer = answerOf(line);
      if (answer === null) continue;
      left.delete(answer.key);
      gathered.set(answer.key, answer.check);
    }
  } catch {
    // What has no answer is shown as failed, with a way to ask again.
  }
  clearInterval(timer);
  batches.delete(batch);
  if (!signal.aborted) for (const key of left) gathered.set(key, 'failed');
  show();
}

function valuesOf(field: CheckedField, asked: readonly string[]): string[] {
  const start = keyOf(field, '');
  return asked.flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
}

function answerOf(line: PeopleLine): { key: string; check: Check } | null {
  if (!('by' in line)) return null;
  const key = keyOf(line.by === 'sis_id' ? 'psID' : 'email', line.asked);
  switch (line.result) {
    case 'found':
      return { key, check: { sisId: line.person?.sis_user_id ?? null } };
    case 'not-found':
      return { key, check: 'free' };
    case 'failed':
      return { key, check: 'failed' };
  }
}
