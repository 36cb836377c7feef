import { useRef, type ReactElement } from 'react';
import { TextInput, type TextInputProps } from 'react-admin';
import { present } from './required.js';

/** What somebody has typed, and its value: the text itself where it is no JSON, or not yet. */
interface Typed {
  readonly text: string;
  readonly value: unknown;
  readonly isJson: boolean;
}

/** The input of a value that no other one is for, as JSON. What is typed stays as it is typed. */
export function JsonInput({
  isRequired,
  ...props
}: Pick<TextInputProps, 'source' | 'label' | 'variant' | 'defaultValue'> & {
  readonly isRequired: boolean;
}): ReactElement {
  const typed = useRef<Typed>();
  const isTyped = (value: unknown): boolean =>
    typed.current !== undefined && written(typed.current.value) === written(value);
  const complaint = (value: unknown): string | undefined =>
    isTyped(value) && typed.current?.isJson === false ? 'This is no JSON' : undefined;
  const parse = (text: string): unknown => {
    typed.current = readJson(text);
    return typed.current.value;
  };
  return (
    <TextInput
      {...props}
      format={(value: unknown) => (isTyped(value) ? (typed.current?.text ?? '') : written(value))}
      parse={parse}
      validate={isRequired ? [present, complaint] : complaint}
      multiline
      minRows={2}
      fullWidth
    />
  );
}

function readJson(text: string): Typed {
  if (text.trim() === '') return { text, value: null, isJson: true };
  try {
    return { text, value: JSON.parse(text) as unknown, isJson: true };
  } catch {
    return { text, value: text, isJson: false };
  }
}

function written(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
}
