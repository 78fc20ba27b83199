import type { CliRequest } from './cli-request.ts';

/** Returns the address that gives the program its answer. Only this machine is ever asked. */
export function answerAddress({ port, state }: CliRequest, answer: Record<string, string>): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ state, ...answer })}`;
}

const ALGORITHM = { name: 'RSA-OAEP', hash: 'SHA-256' };

/** The program that asks, as its public key identifies it. */
export interface CliProgram {
  /** The terminal shows this code too. */
  code: string;
  /** Encrypts a key so that only the program can read it. */
  seal: (key: string) => Promise<string>;
}

/** Throws if the public key is not one of RSA. */
export async function programOf({ publicKey }: CliRequest): Promise<CliProgram> {
  const spki = bytesOf(publicKey);
  const imported = await crypto.subtle.importKey('spki', spki, ALGORITHM, false, ['encrypt']);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', spki));
  const hex = Array.from(digest.subarray(0, 6), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return {
    code: hex.toUpperCase().replaceAll(/(.{4})(?=.)/g, '$1-'),
    seal: async (key) => {
      const sealed = await crypto.subtle.encrypt(ALGORITHM, imported, new TextEncoder().encode(key));
      const text = btoa(String.fromCharCode(...new Uint8Array(sealed)));
      return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    },
  };
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
