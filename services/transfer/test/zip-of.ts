import { deflateRawSync } from 'node:zlib';

/** Returns a ZIP archive as other tools write it. `claims` replaces the true size of a text. */
export function zipOf(files: { name: string; text: string | Buffer; claims?: number }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, claims } of files) {
    const data = deflateRawSync(text);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(0x0800, 2);
    header.writeUInt16LE(8, 4);
    header.writeUInt32LE(data.length, 14);
    header.writeUInt32LE(claims ?? Buffer.byteLength(text), 18);
    header.writeUInt16LE(Buffer.byteLength(name), 22);
    const signed = (signature: number, ...rest: Buffer[]) => {
      const mark = Buffer.alloc(4);
      mark.writeUInt32LE(signature);
      return Buffer.concat([mark, ...rest]);
    };
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(signed(0x02014b50, Buffer.from([20, 0]), header, place, Buffer.from(name)));
    const file = signed(0x04034b50, header, Buffer.from(name), data);
    parts.push(file);
    at += file.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}
