import { describe, expect, it } from '@jest/globals';
import { exportPageBody, readExportPage } from './export-page.ts';

describe('a page of an export', () => {
  it('is read as it was written, whatever its rows contain', () => {
    const rows = Array.from({ length: 500 }, (_, i) => ({
      i,
      text: `line\n"{é漢😀}" ${'x'.repeat(i * 20)}`,
    }));
    const next = '["a\\nb",1]';
    const arrived = readExportPage(exportPageBody(rows, next));
    expect({ ...arrived, rows: JSON.parse(`[0${arrived.rows}]`).slice(1) }).toEqual({
      rows,
      count: 500,
      next,
    });
  });

  it('may be empty', () => {
    const arrived = readExportPage(exportPageBody([], null));
    expect([arrived.count, arrived.next, arrived.rows.length]).toEqual([0, null, 0]);
  });
});
