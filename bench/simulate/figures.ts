import measured from './figures.json' with { type: 'json' };

type Name = keyof typeof measured.figures;
export type Figures = Readonly<Record<Name, number>>;

/** What the benches measured: the file has each figure with the command that measures it again. */
export const figures = Object.fromEntries(
  Object.entries(measured.figures).map(([name, { value }]) => [name, value]),
) as Figures;
