import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** ADR 29: stores and the state of a request are apart, and a port type is worth its name. */
const sources = globSync('{shared,functions,local,cli,lib}/**/*.ts').filter((path) => !path.includes('/generated/'));

/** What holds for one request or delivery only. */
const requestState = ['now', 'isSpent', 'spent', 'asOf', 'graph', 'forgotten', 'past'];
/** More than this many types of ports are a sign that functions name what they could write in their signature. */
const mostPortTypes = 40;

const declaration = /^(?:export )?(?:type|interface) (\w*Ports|Graph(?:Reader|Writers))\b[^=\n]*=?/gm;

type PortType = { readonly name: string; readonly text: string };

/** Each type of ports, with the text of its declaration: it ends at the first blank line. */
const portTypesIn = (text: string): PortType[] =>
  [...text.matchAll(declaration)].map(({ 1: name = '', index }) => ({
    name,
    text: text.slice(index).split('\n\n')[0] ?? '',
  }));

const stateIn = ({ text }: PortType): string[] => {
  const members = [...text.matchAll(/^ {2,4}(?:readonly )?(\w+)\??:/gm)].map(([, member = '']) => member);
  return requestState.filter(
    (name) => members.includes(name) || new RegExp(`\\b${name}\\??: (?!\\()`).test(inline(text)),
  );
};

/** The members that stand on the line of the type's name. */
const inline = (text: string): string => /\{([^\n]*)\}/.exec(text)?.[1] ?? '';

/** A store of policies may be a port; those that hold for a query are its state. */
const spread = [...requestState, 'policies'].join('|');

/** Places that mix the state of a request into an object of stores. */
const mixing = new RegExp(
  String.raw`\{ \.\.\.(?:ports|reader|writers|stores)(?:, [^}]*|), (?:${spread})\b|\{ \.\.\.(?:ports|reader|writers|stores), (?:${spread})\b`,
);
const mixesIn = (text: string): string[] => text.split('\n').filter((line) => mixing.test(line));

const read = (path: string): string => readFileSync(path, 'utf8');

it('keeps the state of a request out of the types of stores and ports', () => {
  const found = sources.flatMap((path) =>
    portTypesIn(read(path)).flatMap((one) => stateIn(one).map((state) => `${path} ${one.name}.${state}`)),
  );
  expect(found).toEqual([]);
});

it('spreads no state of a request into an object of ports', () => {
  expect(sources.flatMap((path) => mixesIn(read(path)).map((line) => `${path} ${line.trim()}`))).toEqual([]);
});

it('names few types of ports', () => {
  const names = sources.flatMap((path) =>
    portTypesIn(read(path)).flatMap(({ name }) => (name.endsWith('Ports') ? name : [])),
  );
  expect(names.length).toBeLessThanOrEqual(mostPortTypes);
  expect(names.length).toBeGreaterThan(mostPortTypes / 2);
});

it('finds state in a type of ports, on one line or on several, and where it is spread', () => {
  const [one, other] = portTypesIn(
    'type OnePorts = { readonly clock: Clock; readonly now: string };\n\nexport type GraphReader = Other & {\n  readonly pages: PageReader;\n  readonly isSpent?: IsSpent;\n};\n',
  );
  expect([one && stateIn(one), other && stateIn(other)]).toEqual([['now'], ['isSpent']]);
  expect(mixesIn('return { ...ports, graph, forgotten };\nconst r = { ...reader, details, now };')).toHaveLength(2);
  expect(mixesIn('return { ...view, context: { ...context, policies } };')).toEqual([]);
});
