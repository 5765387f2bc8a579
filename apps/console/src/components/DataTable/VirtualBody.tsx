import { useVirtualizer } from '@tanstack/react-virtual';
import { BodyRows, type TableBodyProps } from './BodyRows.tsx';
import { ROW_HEIGHT } from './styles.ts';
import type { Key } from './types.ts';

/** Rows rendered above and below what is in sight. */
const OVERSCAN = 10;

/** A long body: only the rows in sight are rendered. */
export function VirtualBody<Row, K extends Key>(props: TableBodyProps<Row, K>) {
  const { start, end, region, headHeight } = props;
  const virtualizer = useVirtualizer({
    count: end - start,
    getScrollElement: () => region,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollPaddingStart: headHeight,
    paddingStart: headHeight,
  });
  const scrollTo = (index: number) => virtualizer.scrollToIndex(index - start);
  const inView = virtualizer.getVirtualItems().map((item) => item.index + start);
  return <BodyRows {...props} inView={inView} scrollTo={scrollTo} />;
}
