import { lazy, Suspense } from 'react';
import { BodyRows, type TableBodyProps } from './BodyRows.tsx';
import type { Key } from './types.ts';

/** Up to this many rows, all are rendered; beyond it, only the visible ones. */
const RENDER_ALL = 120;
/** Rows rendered while the script for long lists is loading. */
const RENDER_FIRST = 30;

// Most tables are paged and never need this part. `lazy` loses the type parameters of the component it wraps.
const VirtualBody = lazy(() =>
  import('./VirtualBody.tsx').then((module) => ({ default: module.VirtualBody })),
) as unknown as typeof PlainBody;

/** A short body: every row is rendered. */
function PlainBody<Row, K extends Key>(props: TableBodyProps<Row, K>) {
  const { start, end, region } = props;
  function scrollTo(index: number) {
    const row = region?.querySelector(`tr[data-index="${index}"]`);
    row?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
  const inView = Array.from({ length: end - start }, (_, offset) => start + offset);
  return <BodyRows {...props} inView={inView} scrollTo={scrollTo} />;
}

/** The rows of a page: all of them, or only the visible ones if there are many. */
export function TableBody<Row, K extends Key>(props: TableBodyProps<Row, K>) {
  const { start, end } = props;
  if (end - start <= RENDER_ALL) return <PlainBody {...props} />;
  return (
    <Suspense fallback={<PlainBody {...props} end={Math.min(end, start + RENDER_FIRST)} />}>
      {/* Heights of rows do not apply to cards. */}
      <VirtualBody key={String(props.cards)} {...props} />
    </Suspense>
  );
}
