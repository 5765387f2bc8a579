import { useRef, useState } from 'react';
import { useAnnounce } from '../Announcer.tsx';

export interface OneFile<Looked> {
  /** Inspects the chosen file. @throws unknown if it cannot be read */
  look: (file: File) => Promise<Looked>;
  /** Discards the previous file: it must not be sent in place of the one that was meant. */
  onAside: () => void;
  onLooked: (looked: Looked, file: File) => void;
  /** Why a file cannot be used, decided without reading it; null if it is to be read. */
  refusalOf?: (file: File) => string | null;
  texts: { one: string; unread: string };
}

/**
 * Handles the one file of a screen, dropped or picked. The previous file is discarded as soon as another is chosen,
 * even if that one cannot be used, and a late result for an earlier file is ignored.
 */
export function useOneFile<Looked>({ look, onAside, onLooked, refusalOf, texts }: OneFile<Looked>) {
  const announce = useAnnounce();
  const [reading, setReading] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const latest = useRef(0);

  function refuse(text: string) {
    setReading(false);
    setRefusal(text);
    announce(text, 'assertive');
  }

  async function take(files: FileList | null) {
    const file = files?.[0];
    if (!file) return;
    const turn = ++latest.current;
    const isLatest = () => latest.current === turn;
    onAside();
    setRefusal(null);
    // The message about the previous file must not be mistaken for one about this file.
    announce('');
    announce('', 'assertive');
    const wrong = files.length > 1 ? texts.one : (refusalOf?.(file) ?? null);
    if (wrong !== null) return refuse(wrong);
    setReading(true);
    try {
      const looked = await look(file);
      if (!isLatest()) return;
      setReading(false);
      onLooked(looked, file);
    } catch {
      if (isLatest()) refuse(texts.unread);
    }
  }

  /** Clears the problem, and ignores any running inspection. */
  const clear = () => {
    latest.current++;
    setReading(false);
    setRefusal(null);
  };

  return { reading, refusal, take: (files: FileList | null) => void take(files), clear };
}
