/** The text in front of the first `Sign`; all of it where there is none. */
type Before<Text extends string, Sign extends string> = Text extends `${infer Start}${Sign}${string}`
  ? Start
  : Text;

type Trimmed<Text extends string> = Text extends `${' ' | '\t' | '\n'}${infer Rest}` ? Trimmed<Rest> : Text;

/** The column of `column operator value`. */
type ColumnIn<Text extends string> = Before<Before<Before<Before<Word<Text>, '='>, '<'>, '>'>, '!'>;

type Word<Text extends string> = Before<Before<Before<Trimmed<Text>, ' '>, '\t'>, '\n'>;

/**
 * A string of `where` as it is, where its column is one of these; else the strings that it may be. A text that is not
 * literal passes. So does one whose first part is no property: it may be a table of `joins`. Both are checked at the
 * start.
 */
export type WhereText<Columns extends string, E, Text> = Text extends string
  ? string extends ColumnIn<Text>
    ? Text
    : ColumnIn<Text> extends Columns
      ? Text
      : ColumnIn<Text> extends `${infer Table}.${string}`
        ? Table extends keyof E
          ? `${Columns} ${string}`
          : Text
        : `${Columns} ${string}`
  : never;
