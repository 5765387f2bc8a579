/**
 * The picture on the cover: a register of many rows, a few of them marked. It shows what the console does: many small
 * changes, each of them visible. Drawn by code, so that it is the same everywhere and needs no picture file.
 */
import { memo } from 'react';

const ROWS = 22;
const ROW_HEIGHT = 36;
const WIDTH = 760;

interface Row {
  y: number;
  widths: readonly [number, number, number];
  marked: boolean;
}

/** Returns a number between 0 and 1 that looks random but is always the same. */
function scatter(seed: number): number {
  const value = Math.sin(seed * 127.1 + 11.7) * 43_758.5453;
  return value - Math.floor(value);
}

const rows: readonly Row[] = Array.from({ length: ROWS }, (_, index) => ({
  y: index * ROW_HEIGHT,
  widths: [60 + 30 * scatter(index), 120 + 90 * scatter(index + 40), 80 + 110 * scatter(index + 80)],
  marked: [8, 11, 12, 16].includes(index),
}));

/** Never rendered again: its content does not change. */
export const Register = memo(function Register() {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${ROWS * ROW_HEIGHT}`}
      preserveAspectRatio="xMinYMax slice"
      aria-hidden="true"
      focusable="false"
      style={{ position: 'absolute', inset: 0, width: '100%', height: '100%' }}
    >
      <g>
        {rows.map(({ y, widths, marked }) => (
          <g key={y} transform={`translate(40 ${y})`} fill={marked ? '#f2bd55' : '#fbf9f2'}>
            {marked && <rect x={-40} width={WIDTH} height={ROW_HEIGHT} fill="#fbf9f2" opacity="0.06" />}
            <rect
              x="0.75"
              y="10.75"
              width="14.5"
              height="14.5"
              rx="4"
              fill="none"
              stroke={marked ? '#f2bd55' : '#fbf9f2'}
              strokeWidth="1.5"
              opacity={marked ? 1 : 0.28}
            />
            {marked && (
              <path
                d="m4.5 18 2.5 2.7 5-5.600"
                fill="none"
                stroke="#f2bd55"
                strokeWidth="2"
                strokeLinecap="round"
              />
            )}
            <rect x="36" y="14" width={widths[0]} height="8" rx="4" opacity={marked ? 0.95 : 0.16} />
            <rect x="160" y="14" width={widths[1]} height="8" rx="4" opacity={marked ? 0.8 : 0.11} />
            <rect x="410" y="14" width={widths[2]} height="8" rx="4" opacity={marked ? 0.6 : 0.08} />
            <rect x={-40} y={ROW_HEIGHT - 1} width={WIDTH} height="1" fill="#fbf9f2" opacity="0.07" />
          </g>
        ))}
      </g>
    </svg>
  );
});
