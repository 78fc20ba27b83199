import { useEffect, useState } from 'react';
import { type Field, guessFields } from './csv-records.ts';
import { type Csv, readCsv } from './parse-csv.ts';

/** A table of which each column is a field of decisions, or is left out. */
export interface Sheet {
  csv: Csv;
  fields: (Field | null)[];
}

/** Reads a file as a table. The fields are a guess that the user can change. */
export function useCsv(file: File | null) {
  const [read, setRead] = useState<{ file: File; sheet: Sheet | null; error: unknown } | null>(null);
  useEffect(() => {
    let isLeft = false;
    if (file) {
      void readCsv(file)
        .then((csv) => ({ file, sheet: { csv, fields: guessFields(csv.header) }, error: null }))
        .catch((error: unknown) => ({ file, sheet: null, error }))
        .then((found) => isLeft || setRead(found));
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
