import { useDelayed } from '../States/useDelayed.ts';
import { texts } from './texts.ts';

const ROWS = 6;
const WIDTHS = ['62%', '84%', '48%', '73%', '56%'];

/** Rows that are on their way: their shape, after 0.3 s. */
export function SkeletonRows({ columns, label }: { columns: number; label: string }) {
  const shown = useDelayed(true);
  return (
    <tbody aria-label={texts.loading(label)}>
      {Array.from({ length: ROWS }, (_, row) => (
        // Places, not things.
        // oxlint-disable-next-line react/no-array-index-key
        <tr key={row}>
          {Array.from({ length: columns }, (_, column) => (
            // oxlint-disable-next-line react/no-array-index-key
            <td key={column}>
              {shown && <span className="bar" style={{ width: WIDTHS[(row + column) % WIDTHS.length] }} />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
