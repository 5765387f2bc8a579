import { listCheck } from '@lms-admin/contract/awards';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { isAbort } from '../../api/errors.ts';
import { readStored, writeStored } from '../../api/stored-state.ts';
import { uploadFile } from '../../api/upload.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { heardOf, NOTHING, refusalOf, type UploadState } from './list-check.ts';

export interface ListUpload {
  state: UploadState;
  /** Why the chosen file is not uploaded. */
  refusal: string | null;
  /** Why the file is not a filled-in template (BTA-33, BTA-35). */
  notValid: { message: string; next: string } | null;
  /** Name of the file that was being checked when the page was reloaded. */
  lost: string | null;
  take: (files: FileList | null) => void;
  /** Uploads the same file again. */
  retry: () => void;
  /** Cancels the upload at any point; the current list stays as it is. */
  discard: () => void;
  /** Called when the dialog about the template has been read. */
  seen: () => void;
}

const shape = { checking: z.string().max(300).nullable() };
const NO_FILE: { checking: string | null } = { checking: null };
const remember = (checking: string | null) => writeStored('award-import', { checking }, null);

/** Uploads the chosen Excel file, and shows the result of the server's check. The server does not store the file. */
export function useListUpload(): ListUpload {
  const [state, setState] = useState(NOTHING);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [notValid, setNotValid] = useState<ListUpload['notValid']>(null);
  const [lost, setLost] = useState(() => readStored('award-import', shape, NO_FILE).checking);
  const running = useRef<AbortController | null>(null);
  const held = useRef<File | null>(null);
  const announce = useAnnounce();
  useEffect(() => () => running.current?.abort(), []);

  async function send(file: File) {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { name } = file;
    const { signal } = controller;
    const show = (next: UploadState) => {
      if (!signal.aborted) setState(next);
    };
    held.current = file;
    setRefusal(null);
    setLost(null);
    remember(name);
    show({ at: 'sending', name, percent: 0 });
    try {
      const check = await checked(file, signal, (percent) => show({ at: 'sending', name, percent }));
      if (signal.aborted) return;
      if (!check.template) {
        remember(null);
        setNotValid(check);
        setState(NOTHING);
      } else {
        setState({ at: 'checked', name, check });
        announce(heardOf(name, check));
      }
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      remember(null);
      setState({ at: 'failed', name, error });
    }
  }

  function discard() {
    running.current?.abort();
    held.current = null;
    remember(null);
    setLost(null);
    setState(NOTHING);
  }

  function take(files: FileList | null) {
    const file = files?.[0];
    if (!file) return;
    const refused = refusalOf([...files]);
    if (refused === null) return void send(file);
    // The previous file must not be used in place of the one that was meant.
    discard();
    setRefusal(refused);
    announce(refused, 'assertive');
  }

  return {
    state,
    refusal,
    notValid,
    lost,
    take,
    retry() {
      if (held.current) void send(held.current);
    },
    discard,
    seen: () => setNotValid(null),
  };
}

/** Requests the server's check of an Excel file. @param onSent the percentage sent; null once all of it has arrived */
function checked(file: File, signal: AbortSignal, onSent: (percent: number | null) => void) {
  return uploadFile(ENDPOINTS.awardCheck, file, listCheck, {
    signal,
    onSent: (bytes) => onSent(Math.min(100, (bytes * 100) / Math.max(1, file.size))),
    onArrived: () => onSent(null),
  });
}
