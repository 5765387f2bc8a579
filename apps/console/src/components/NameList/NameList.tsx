import Box from '@mui/material/Box';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';

const ROW = 32;

export interface NameListProps {
  names: readonly string[];
  label: string;
  /** Maximum height in px. */
  height: number;
  /** Renders a line that is more than its name. */
  renderLine?: (index: number) => ReactNode;
}

/** A list of names, addresses or IDs, long ones in two lines; renders only the visible lines. */
export function NameList({ names, label, height, renderLine }: NameListProps) {
  const box = useRef<HTMLDivElement>(null);
  // None of the returned functions is passed on or memoised.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: names.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
    initialRect: { width: 400, height },
  });
  return (
    <Box
      ref={box}
      role="region"
      aria-label={label}
      // A region that scrolls must be reachable for people who scroll with keys.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      sx={{ maxHeight: height, overflowY: 'auto', border: 1, borderColor: 'divider', borderRadius: 1 }}
    >
      <Box
        component="ul"
        aria-label={label}
        sx={{ position: 'relative', m: 0, p: 0, listStyle: 'none', height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map((item) => (
          <Box
            component="li"
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            aria-setsize={names.length}
            aria-posinset={item.index + 1}
            sx={{
              position: 'absolute',
              insetInline: 0,
              px: 1.5,
              py: 0.5,
              overflowWrap: 'anywhere',
            }}
            style={{ top: item.start }}
          >
            {renderLine ? renderLine(item.index) : names[item.index]}
          </Box>
        ))}
      </Box>
    </Box>
  );
}
