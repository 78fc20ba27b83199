import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { downloadFile, saveFile } from './download-file.ts';

interface Wanted {
  /** Its name during the download. */
  name: string;
  /** Path below /v1. */
  path: string;
}

export type Download = ReturnType<typeof useDownload>;

/** Downloads one file at a time with progress. Leaving the page aborts it. */
export function useDownload() {
  const [bytes, setBytes] = useState(0);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const download = useMutation({
    mutationFn: ({ path }: Wanted) => {
      const controller = new AbortController();
      running.current = controller;
      setBytes(0);
      return downloadFile(`/v1${path}`, { signal: controller.signal, onProgress: setBytes });
    },
    onSuccess: saveFile,
  });
  return {
    bytes,
    start: download.mutate,
    cancel: () => running.current?.abort(),
    name: download.variables?.name ?? '',
    isRunning: download.isPending,
    saved: download.data,
    error: download.error?.name === 'AbortError' ? null : download.error,
  };
}
