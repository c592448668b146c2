/** As many of the lines as there is room for in characters, and how many of what are left out. */
export function bounded(lines: readonly string[], what: string, room: number): string[] {
  const more = (count: number) => `\nAnd ${count} more ${what}.`;
  let [used, taken] = [more(lines.length).length + 1, 0];
  for (const line of lines) {
    if (used + line.length + 1 > room) break;
    used += line.length + 1;
    taken++;
  }
  return taken === lines.length ? [...lines] : [...lines.slice(0, taken), more(lines.length - taken)];
}

/** The first of them, and how many more there are. */
export const some = (all: readonly string[], count: number, between: string): string =>
  [...all.slice(0, count), ...(all.length > count ? [`and ${all.length - count} more`] : [])].join(between);
