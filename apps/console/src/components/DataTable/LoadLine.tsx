import { useEffect, useState } from 'react';
import { Line, Track } from './styles.ts';
import { texts } from './texts.ts';
import type { LoadProgress } from './types.ts';

/** Milliseconds without anything new after which it is said that the answer takes long. */
const SLOW_MS = 5_000;

/** What is still on its way, with true numbers: 'x of y courses loaded'; and a word where nothing comes for a while. */
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

/** Begins again with everything that comes. */
function Slow() {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return slow ? texts.slow : null;
}
