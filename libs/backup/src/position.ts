import { Timestamp } from 'mongodb';
import { z } from 'zod';

/** A position in an oplog, `seconds.increment`. Positions compare as text. */
export const Position = z.string().regex(/^\d{10}\.\d{10}$/);

const tenDigits = (number: number) => String(number).padStart(10, '0');

export const positionOf = (timestamp: Timestamp) =>
  `${tenDigits(timestamp.getHighBitsUnsigned())}.${tenDigits(timestamp.getLowBitsUnsigned())}`;

/** The position before everything that was written in this second. */
export const positionAt = (atMs: number) => positionOf(new Timestamp({ t: atMs / 1_000, i: 0 }));

export function timestampOf(position: string): Timestamp {
  const [t, i] = position.split('.').map(Number);
  return new Timestamp({ t: t!, i: i! });
}

export const timeOfPosition = (position: string) =>
  new Date(timestampOf(position).getHighBitsUnsigned() * 1_000).toISOString();
