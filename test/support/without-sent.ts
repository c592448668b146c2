type Row = Readonly<Record<string, unknown>>;

const withoutNulls = (traits: unknown) =>
  Object.fromEntries(Object.entries(Object(traits)).filter(([, value]) => value !== null));

/** A stored row without what the recordings' mapping left out: the properties of SDKs that have no native field, and traits that are null. */
export function withoutSent({ context, ...row }: Row): Row {
  const own = Object.entries(Object(context)).filter(([name]) => !name.startsWith('$'));
  const people = ['traits', 'set_once'].flatMap((name) =>
    name in row ? [[name, withoutNulls(row[name])] as const] : [],
  );
  return { ...row, ...Object.fromEntries(people), ...(own.length > 0 && { context: Object.fromEntries(own) }) };
}
