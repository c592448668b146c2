/** The query of an address. A name that occurs twice is a list. */
export type Search = { readonly [name: string]: string | readonly string[] | undefined };

export function parseQuery(text: string): Search {
  const search: Record<string, string | string[]> = {};
  for (const name of new Set(new URLSearchParams(text).keys())) {
    const values = new URLSearchParams(text).getAll(name);
    search[name] = values.length > 1 ? values : (values[0] ?? '');
  }
  return search;
}

/** Leaves out what has no value. */
export function writeQuery(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') parameters.append(name, String(one));
  const text = parameters.toString();
  return text && `?${text}`;
}
