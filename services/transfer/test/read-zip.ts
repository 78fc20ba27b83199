/**
 * Returns the files of a ZIP archive by name, read from its central directory. The files must be stored
 * (uncompressed) UTF-8 texts.
 */
export function readZip(archive: Buffer): Map<string, string> {
  const END = 0x06054b50;
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== END) throw new Error('no end of the central directory');
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const bytes = archive.readUInt32LE(at + 20);
    const nameBytes = archive.readUInt16LE(at + 28);
    const header = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes);
    const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
    files.set(name, archive.toString('utf8', start, start + bytes));
    at += 46 + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
