import { v7 } from 'uuid';

/** A new UUIDv7 (RFC 9562): ids sort by creation time. */
export function newId(): string {
  return v7();
}

/** The smallest UUIDv7 of a moment, for range queries over ids. */
export function firstIdAt(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The time of a UUIDv7, in milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
