/** What may be logged of an error: its name and place. A library's message may quote what it was given. */
export function describeError(error: unknown): { readonly name: string; readonly stack: string } {
  if (!(error instanceof Error)) return { name: 'unknown', stack: '' };
  const places = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { name: error.name, stack: places.slice(0, mostPlaces).join('\n') };
}

const mostPlaces = 12;

/** The same error without its message, for those that log whatever they are thrown. */
export function reticentError(error: unknown): Error {
  const { name, stack } = describeError(error);
  return Object.assign(new Error('failed'), { name, stack: `${name}: failed\n${stack}` });
}
