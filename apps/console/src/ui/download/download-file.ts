import { WaymarkError } from '@waymark/client/api';

export interface DownloadedFile {
  name: string;
  blob: Blob;
}

/**
 * Downloads a file from the API, which streams it without a length. Calls `onProgress` with the received
 * bytes.
 */
export async function downloadFile(
  url: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (bytes: number) => void },
): Promise<DownloadedFile> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new WaymarkError(response, await response.json().catch(() => ({})));
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      onProgress(bytes);
      controller.enqueue(chunk);
    },
  });
  const blob = await new Response(response.body?.pipeThrough(counter), {
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
  }).blob();
  return { name: nameOf(response) ?? 'waymark-export', blob };
}

function nameOf(response: Response): string | null {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null;
}

/** Saves a file through the browser's downloads. */
export function saveFile({ name, blob }: DownloadedFile): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started the download by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
