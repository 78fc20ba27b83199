import type { ImportRecord } from '../../store/index.ts';

/** The job of a file, as far as its parser needs it. */
export type ParserJob = Pick<
  ImportRecord,
  'format' | 'workspace_id' | 'created_at' | 'created_by' | 'quality_model'
>;

/** Part of a file, and its offset in the file. */
export interface FileChunk {
  data: Uint8Array;
  from: number;
}

/** A file as its parser reads it. */
export interface ImportFile {
  job: ParserJob;
  size: number;
  /** Returns the chunk that holds a byte of the file. */
  chunkAt(offset: number): Promise<FileChunk>;
  /** Begins the time limit of a part of the file, which a report names by `path`. */
  beginPart(path: string): void;
}
