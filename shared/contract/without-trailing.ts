/** A text without any of a character at its end; a regular expression would begin anew at each of them. */
export function withoutTrailing(character: string, text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
