import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { parseSync } from 'vite';

/** One fault in one place of a source file. */
export type Mutant = {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** What replaces the characters from `start` to `end`. */
  readonly text: string;
  /** The source line, without blanks around it. */
  readonly source: string;
  /** Outside of functions, so that it runs whenever the file is loaded. */
  readonly onLoad: boolean;
};

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;
type Place = { readonly node: Node; readonly parent: Node; readonly key: string; readonly inChain: boolean };

const swapped: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
};
const droppable = new Set(['filter', 'toSorted', 'toReversed', 'slice', 'trim', 'toLowerCase', 'toUpperCase']);
const lists = new Set([...droppable, 'map', 'flatMap']);
const extremes: Readonly<Record<string, string>> = { min: 'max', max: 'min', some: 'every', every: 'some' };
/** Parts of the tree that have no effect when it runs, or that name other files. */
const skipped = /^(typeAnnotation|returnType|typeParameters|typeArguments|superTypeArguments|source|attributes)$/;
const functions = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const withRuntime = /^TS(As|Satisfies|NonNull)Expression$/;

/** The production files of a checkout. */
export const sourceFiles = (root: string): string[] =>
  globSync('{shared,functions,cli,local,lib}/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.d.ts') && !file.includes('generated'))
    .sort();

/** All mutants of a source file. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const found: Mutant[] = [];
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed.`);
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const textOf = ({ start, end }: Node) => source.slice(start, end);
  const visit = (place: Place, onLoad: boolean): void => {
    const { node } = place;
    if (node.type.startsWith('TS') && !withRuntime.test(node.type)) return;
    for (const [kind, text, at = node] of changesOf(place, textOf)) {
      const { start, end } = at;
      const line = starts.findLastIndex((first) => first <= start) + 1;
      const own = source.slice(starts[line - 1], starts[line]).trim();
      found.push({ file, line, kind, start, end, text, source: own, onLoad });
    }
    for (const [key, value] of Object.entries(node)) {
      if (skipped.test(key)) continue;
      // Parentheses inside a chain would end it, so that `a?.b.c` fails if there is no `a`.
      const inChain = node.type === 'ChainExpression' || (place.inChain && (key === 'object' || key === 'callee'));
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) visit({ node: child, parent: node, key, inChain }, onLoad && !functions.test(node.type));
    }
  };
  const root = program as unknown as Node;
  visit({ node: root, parent: root, key: '', inChain: false }, true);
  return found;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

type Change = readonly [kind: string, text: string, at?: Node];

function changesOf({ node, parent, key, inChain }: Place, textOf: (node: Node) => string): Change[] {
  const part = (name: string): Node => node[name] as Node;
  const operator = String(node['operator']);
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return [['negated condition', `!(${textOf(part('test'))})`, part('test')]];
    case 'LogicalExpression':
    case 'BinaryExpression': {
      const sides = [textOf(part('left')), textOf(part('right'))];
      if (operator === '??') return [['dropped default', `${sides[0]}`]];
      const other = swapped[operator];
      return other ? [['other operator', `(${sides.join(`) ${other} (`)})`]] : [];
    }
    case 'UnaryExpression':
      return operator === '!' ? [['dropped not', textOf(part('argument'))]] : [];
    case 'ExpressionStatement': {
      const { type } = part('expression');
      return type === 'AwaitExpression' || type === 'CallExpression' ? [['skipped statement', '{}']] : [];
    }
    case 'AwaitExpression':
      return parent.type === 'ReturnStatement' || parent.type === 'ArrowFunctionExpression'
        ? []
        : [['dropped await', textOf(part('argument'))]];
    case 'CallExpression': {
      const callee = part('callee');
      if (inChain || callee.type !== 'MemberExpression' || callee['computed']) return [];
      const [object, name] = [textOf(callee['object'] as Node), textOf(callee['property'] as Node)];
      const rest = textOf(node).slice((callee['property'] as Node).end - node.start);
      if (droppable.has(name)) return [[`dropped ${name}`, object]];
      return extremes[name] ? [[`${extremes[name]} for ${name}`, `${object}.${extremes[name]}${rest}`]] : [];
    }
    case 'ReturnStatement': {
      const result = node['argument'] as Node | null;
      if (!result || /^(Literal|Identifier|BinaryExpression|UnaryExpression)$/.test(result.type)) return [];
      const isEmpty = /^(\[\]|undefined|\{\})$/.test(textOf(result));
      return isEmpty ? [] : [['empty result', isList(result, textOf) ? '[]' : 'undefined', result]];
    }
    case 'ArrayExpression':
      return (node['elements'] as Node[]).length > 0 ? [['empty list', '[]']] : [];
    case 'SpreadElement':
      return parent.type === 'ObjectExpression' ? [['dropped spread', '{}', part('argument')]] : [];
    case 'Literal': {
      const value = node['value'];
      if (key === 'key') return [];
      if (typeof value === 'number') return [['other number', String(value + 1)]];
      if (typeof value === 'boolean') return [['other boolean', String(!value)]];
      const decides = /^(ArrayExpression|BinaryExpression|SwitchCase)$/.test(parent.type);
      return typeof value === 'string' && value !== '' && decides ? [['empty string', "''"]] : [];
    }
    default:
      return [];
  }
}

function isList(node: Node, textOf: (node: Node) => string): boolean {
  if (node.type !== 'CallExpression') return node.type === 'ArrayExpression';
  const callee = node['callee'] as Node;
  return callee.type === 'MemberExpression' && lists.has(textOf(callee['property'] as Node));
}

/** The folder whose figures a mutant belongs to: three levels of `shared`, one of the others. */
export const folderOf = (file: string): string => {
  const folders = file.split('/').slice(0, -1);
  return folders.slice(0, folders[0] === 'shared' ? 3 : 1).join('/');
};

/**
 * Mutants in an order in which each beginning has each folder in proportion. A change of one line of the sources
 * moves no mutant of another line.
 */
export function inSampleOrder(mutants: readonly Mutant[], seed: number): Mutant[] {
  const rank = ({ file, kind, source, text }: Mutant): string =>
    createHash('sha256')
      .update(JSON.stringify([seed, file, kind, source, text]))
      .digest('hex');
  const ranked = mutants.map((mutant) => ({ mutant, rank: rank(mutant) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const placed = [...Map.groupBy(ranked, ({ mutant }) => folderOf(mutant.file))].flatMap(([folder, members]) => {
    // The seed decides when the first mutant of a folder comes, or small folders would never have their turn.
    const offset =
      Number.parseInt(createHash('sha256').update(`${seed}${folder}`).digest('hex').slice(0, 8), 16) / 2 ** 32;
    return members.map(({ mutant }, index) => ({ mutant, at: (index + offset) / members.length }));
  });
  return placed.sort((a, b) => a.at - b.at).map(({ mutant }) => mutant);
}

/** The file's text with a mutant in it. */
export const applied = (source: string, { start, end, text }: Mutant): string =>
  source.slice(0, start) + text + source.slice(end);

/** The file's text, which runs `probe` of each mutant's index when its place is reached. */
export function probed(source: string, mutants: readonly (readonly [number, Mutant])[], probe: (id: number) => string) {
  const marks = mutants.flatMap(([id, { start, end, kind }]) => {
    const [open, close] = kind === 'skipped statement' ? ['{', ';'] : ['(', ','];
    const size = end - start + (open === '{' ? 0.5 : 0);
    return [
      { at: start, order: 2e6 - size, id, text: `${open}${probe(id)}${close} ` },
      { at: end, order: size - 1e6, id: -id, text: open === '{' ? '}' : ')' },
    ];
  });
  // What ends at a place comes before what begins there; the longer begins first and ends last.
  marks.sort((a, b) => a.at - b.at || a.order - b.order || a.id - b.id);
  let text = '';
  let from = 0;
  for (const mark of marks) {
    text += source.slice(from, mark.at) + mark.text;
    from = mark.at;
  }
  return text + source.slice(from);
}
