import { useEffect, useRef } from 'react';
import { useAnnounce } from '../Announcer.tsx';

/** Announces each new stage and each quarter of it, not every number. Empty stages are silent. */
export function useMilestones(stage: string, percent: number | null, numbers: string): void {
  const announce = useAnnounce();
  const announced = useRef('');
  useEffect(() => {
    if (stage === '') return;
    const mark = `${stage} ${percent === null ? '' : Math.floor(percent / 25)}`;
    if (announced.current === mark) return;
    announced.current = mark;
    announce(numbers === '' ? stage : `${stage}: ${numbers}`);
  }, [stage, percent, numbers, announce]);
}
