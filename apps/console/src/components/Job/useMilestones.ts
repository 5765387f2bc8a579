import { useEffect, useRef } from 'react';
import { useAnnounce } from '../Announcer.tsx';

/** Announces each new stage and each quarter of it: every number would drown the rest. Empty stages are silent. */
export function useMilestones(stage: string, percent: number | null, numbers: string): void {
  const announce = useAnnounce();
  const said = useRef('');
  useEffect(() => {
    if (stage === '') return;
    const mark = `${stage} ${percent === null ? '' : Math.floor(percent / 25)}`;
    if (said.current === mark) return;
    said.current = mark;
    announce(numbers === '' ? stage : `${stage}: ${numbers}`);
  }, [stage, percent, numbers, announce]);
}
