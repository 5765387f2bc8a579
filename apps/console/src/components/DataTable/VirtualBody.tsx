import { useVirtualizer } from '@tanstack/react-virtual';
import { BodyRows, type TableBodyProps } from './BodyRows.tsx';
import { HEAD_HEIGHT, ROW_HEIGHT } from './styles.ts';
import type { Key } from './types.ts';

/** Rows drawn above and below what is in sight. */
const OVERSCAN = 10;

/** A long body: only the rows in sight are drawn. */
export function VirtualBody<Row, K extends Key>(props: TableBodyProps<Row, K>) {
  const { start, end, region } = props;
  const virtualizer = useVirtualizer({
    count: end - start,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollPaddingStart: HEAD_HEIGHT,
    paddingStart: HEAD_HEIGHT,
  });
  const scrollTo = (index: number) => virtualizer.scrollToIndex(index - start);
  const drawn = virtualizer.getVirtualItems().map((item) => item.index + start);
  return <BodyRows {...props} drawn={drawn} scrollTo={scrollTo} />;
}
