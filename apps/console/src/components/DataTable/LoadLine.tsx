import { useEffect, useState } from 'react';
import { Line, Track } from './styles.ts';
import { texts } from './texts.ts';
import type { LoadProgress } from './types.ts';

/** Milliseconds without progress after which the line says that the answer is slow. */
const SLOW_MS = 5_000;

/** Progress of loading, with real numbers: 'x of y courses loaded'; and a note if nothing arrives for a while. */
export function LoadLine({ progress }: { progress: LoadProgress }) {
  const { done, total, label } = progress;
  const text = texts.progress(done, total, label);
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total);
  return (
    <div>
      <Track
        role="progressbar"
        aria-label={label}
        aria-valuetext={text}
        {...(total === null ? {} : { 'aria-valuemin': 0, 'aria-valuemax': total, 'aria-valuenow': done })}
      >
        <div style={{ transform: `scaleX(${share})` }} />
      </Track>
      <Line style={{ minHeight: 32, paddingBlock: 2 }}>
        <span>{text}</span>
        <span role="status">
          <Slow key={done} />
        </span>
      </Line>
    </div>
  );
}

/** Says that the answer is slow; its timer restarts whenever something arrives. */
function Slow() {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return slow ? texts.slow : null;
}
