import type { KindContext } from '../../endpoint/kind.context.js';
import type { Selection } from '../../query/query.plan.js';
import type { Row, RowLayout } from '../../sql/row.layout.js';
import { rowWriter } from '../../sql/row.writer.js';
import { cellColumns, type Formulas } from './csv.cells.js';
import { csvWriter } from './csv.packages.js';
import type { TransferFormat } from './transfer.format.js';

/** Writes rows as the text of a format. */
export interface ExportForm {
  /** The text in front of the records. */
  readonly head: string;
  rows(rows: readonly Row[]): string;
}

/** The forms of an endpoint's records, one for each format. */
export interface ExportForms extends Readonly<Record<TransferFormat, ExportForm>> {
  /** The paths of what is shown, under the names of the wire. */
  readonly headers: readonly string[];
}

/** The options that say how tables are written. */
export interface TableOptions {
  readonly byteOrderMark?: boolean;
  readonly formulas?: Formulas;
}

/** The end of a line (RFC 4180, 2). */
const lineEnd = '\r\n';

/** An empty text has quotes, so that it is told from no value. */
const written = (text: string): string | { value: string; quoted_empty: boolean } =>
  text === '' ? { value: text, quoted_empty: true } : text;

/** Breaks of lines within a cell, of whatever kind. */
const breaks = /[\r\n]/;

/** Makes the forms of an endpoint's records. */
export function exportForms(
  { names, database }: KindContext,
  shown: Selection,
  layout: RowLayout,
  { byteOrderMark = false, formulas = 'escape' }: TableOptions,
): ExportForms {
  const { platform } = database.dialect;
  const write = rowWriter(shown, layout, names, platform);
  const columns = cellColumns(shown, layout, names, platform, formulas);
  const stringify = csvWriter();
  const table = (cells: (readonly (string | null)[])[]): string =>
    stringify(cells, { record_delimiter: lineEnd, quoted_match: breaks, cast: { string: written } });
  const headers = columns.map(({ header }) => header);
  const head = table([headers]);
  return {
    headers,
    ndjson: { head: '', rows: (rows) => rows.map((row) => `${write(row)}\n`).join('') },
    csv: {
      head: byteOrderMark ? `\uFEFF${head}` : head,
      rows: (rows) => table(rows.map((row) => columns.map(({ read }) => read(row)))),
    },
  };
}
