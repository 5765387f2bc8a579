import { Line, Track } from './styles.ts';
import { texts } from './texts.ts';
import type { LoadProgress } from './types.ts';

/** What is still on its way, with true numbers: 'x of y courses loaded'. */
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
      <Line style={{ minHeight: 32, paddingBlock: 2 }}>{text}</Line>
    </div>
  );
}
