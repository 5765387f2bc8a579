import Box from '@mui/material/Box';
import { type DragEvent, type ReactNode, useEffect, useState } from 'react';

export interface FileDropProps {
  /** Name of the place for people who hear it. */
  label: string;
  /** A lower place, where it is not the next thing to do. */
  low?: boolean;
  onFiles: (files: FileList) => void;
  children: ReactNode;
}

/** A place that takes files which are dragged to it; its picker stands inside. */
export function FileDrop({ label, low = false, onFiles, children }: FileDropProps) {
  const [over, setOver] = useState(false);
  useDropsElsewhere();

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    onFiles(event.dataTransfer.files);
  }

  return (
    <Box
      role="group"
      aria-label={label}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
      sx={{
        display: 'grid',
        justifyItems: 'center',
        gap: 1.5,
        px: 2,
        py: low ? 3 : 6,
        textAlign: 'center',
        border: '2px dashed',
        borderColor: 'surface.outline',
        borderRadius: 1,
        bgcolor: 'surface.sunken',
        '&[data-over]': {
          borderColor: 'primary.main',
          borderStyle: 'solid',
          bgcolor: 'surface.rowSelected',
        },
      }}
    >
      {children}
    </Box>
  );
}

/** A file dropped beside the field would be opened by the browser in the place of the console. */
function useDropsElsewhere(): void {
  useEffect(() => {
    const stay = (event: globalThis.DragEvent) => event.preventDefault();
    window.addEventListener('dragover', stay);
    window.addEventListener('drop', stay);
    return () => {
      window.removeEventListener('dragover', stay);
      window.removeEventListener('drop', stay);
    };
  }, []);
}
