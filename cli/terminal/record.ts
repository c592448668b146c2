import { printable } from './printable.ts';

/** The fields of a record a line each, without those that are empty; what is no text stands as JSON. */
export const record = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => printable(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`))
    .join('\n');

/** A text that leaves room in a table for the other columns. */
export function shortened(text: string, most = 60): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
