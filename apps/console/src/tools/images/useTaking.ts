import { useEffect, useRef, useState } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { isPicture, pastedName } from './image-kinds.ts';
import { MOST_IMAGES, take } from './take.ts';
import { texts } from './texts.ts';
import { work } from './upload-work.ts';

export interface Taking {
  /** Whether files are being read. */
  reading: boolean;
  take: (files: readonly File[], folders?: readonly string[]) => void;
  /** Resolves when all files handed in so far have been read. */
  ended: () => Promise<void>;
}

/** Accepts files: dropped, picked and pasted ones are handled in the same way, one batch after the other. */
export function useTaking(): Taking {
  const announce = useAnnounce();
  const [waiting, setWaiting] = useState(0);
  const line = useRef(Promise.resolve());

  function handleFiles(files: readonly File[], folders: readonly string[] = []) {
    if (files.length === 0) return;
    setWaiting((count) => count + 1);
    line.current = line.current.then(async () => {
      const { rows, large } = work.get();
      const looked = await take(files, {
        folders,
        isTaken: work.has,
        room: MOST_IMAGES - rows.length - large.length,
      });
      work.apply({ type: 'add', pictures: looked.pictures });
      work.apply({ type: 'large', files: looked.large });
      work.apply({ type: 'refuse', pieces: looked.refused });
      announce(texts.added(looked.pictures.length, looked.large.length, looked.refused.length));
      setWaiting((count) => count - 1);
    });
  }

  const handle = useRef(handleFiles);
  useEffect(() => {
    handle.current = handleFiles;
  });
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      if (clipboardData === null || !isPicture(clipboardData.types)) return;
      const taken = new Set(work.get().rows.map(({ name }) => name));
      const files = [...clipboardData.files].map((file) => {
        const name = pastedName(file.name, new Date(), taken);
        taken.add(name);
        return name === file.name ? file : new File([file], name, { type: file.type });
      });
      handle.current(files);
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, []);
  return { reading: waiting > 0, take: handleFiles, ended: () => line.current };
}
