import Box from '@mui/material/Box';
import { type DragEvent, type ReactNode, useEffect, useState } from 'react';

export interface FileDropProps {
  /** Name of the drop area for screen readers. */
  label: string;
  /** Whether to show a lower area, because another step comes next. */
  low?: boolean;
  /** @param folders names of the dropped folders: `files` contains each of them as a file that cannot be read */
  onFiles: (files: FileList, folders: readonly string[]) => void;
  children: ReactNode;
}

/** Drop area for files, with the file picker inside. */
export function FileDrop({ label, low = false, onFiles, children }: FileDropProps) {
  const [over, setOver] = useState(false);
  useDropsElsewhere();

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    onFiles(event.dataTransfer.files, foldersIn(event.dataTransfer));
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

/** Finds folders during the drop: only then can the browser tell a folder from a file. */
function foldersIn({ items }: DataTransfer): string[] {
  return [...items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry?.isDirectory === true ? [entry.name] : [];
  });
}

/** Prevents the browser from opening a file dropped beside the field in place of the console. */
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
