const HEAD_BYTES = 8;
const PATH_BYTES = 1_024;

export type CurrentPart = ReturnType<typeof currentPart>;

/** The part of a file that a thread reads, in shared memory: a message costs more than a small part. */
export function currentPart(memory = new SharedArrayBuffer(HEAD_BYTES + PATH_BYTES)) {
  const head = new Uint32Array(memory, 0, 2);
  const text = Buffer.from(memory, HEAD_BYTES);
  return {
    memory,
    begin(path: string): void {
      head[1] = text.write(path);
      head[0]! += 1;
    },
    /** Rises with each part. */
    number: () => head[0]!,
    /** The first characters of the part's path. */
    path: () => text.toString('utf8', 0, head[1]),
  };
}
