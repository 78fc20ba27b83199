import { readFile } from 'node:fs/promises';

/**
 * Returns the content of a JSON file, or `missing` if there is none. Throws an error that names an
 * unreadable file.
 */
export async function readJson<T>(file: string, missing: T): Promise<T> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return missing;
    throw new Error(`${file} cannot be read: ${message}`, { cause: error });
  }
}
