/** What was written into a field as a list: trimmed, without what is empty. */
export const splitList = (text: FormDataEntryValue | null, separator: ',' | '\n'): string[] =>
  String(text ?? '')
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
