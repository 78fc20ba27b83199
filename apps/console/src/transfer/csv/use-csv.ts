import { useEffect, useState } from 'react';
import { type Field, guessFields } from './csv-records.ts';
import { type Csv, readCsv } from './parse-csv.ts';

/** A table of which each column is a field of decisions, or is left out. */
export interface Sheet {
  csv: Csv;
  fields: (Field | null)[];
}

interface Read {
  file: File;
  sheet: Sheet | null;
  error: unknown;
}

/** Reads a file as a table. The fields are a guess that the user can change. */
export function useCsv(file: File | null) {
  const [read, setRead] = useState<Read | null>(null);
  useEffect(() => {
    let isLeft = false;
    if (file) {
      void readCsv(file)
        .then((csv) => ({ file, sheet: { csv, fields: guessFields(csv.header) }, error: null }))
        .catch((error: unknown) => ({ file, sheet: null, error }))
        .then((found) => isLeft || setRead((known) => withFieldsOf(known, found)));
    }
    return () => {
      isLeft = true;
    };
  }, [file]);
  const isRead = read?.file === file;
  return {
    sheet: isRead ? read.sheet : null,
    error: isRead ? read.error : null,
    setFields: (fields: Sheet['fields']) =>
      setRead((known) => (known?.sheet ? { ...known, sheet: { ...known.sheet, fields } } : known)),
  };
}

/** The corrected file after a report has the same columns: what the user chose for them stays. */
function withFieldsOf(known: Read | null, found: Read): Read {
  const [before, now] = [known?.sheet, found.sheet];
  if (!before || !now || before.csv.header.join() !== now.csv.header.join()) return found;
  return { ...found, sheet: { ...now, fields: before.fields } };
}
